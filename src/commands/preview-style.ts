/** Look of the preview page: near enough to the chats to judge a card by. Nothing is loaded from elsewhere. */
export const PREVIEW_STYLE = `
:root { font: 14px/1.5 -apple-system, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", "Noto Sans", "Noto Color Emoji", sans-serif; }
body { margin: 0; padding: 16px; background: #eef0f3; color: #1f2329; display: inline-block; min-width: 100%; box-sizing: border-box; }
section { display: flex; gap: 16px; align-items: flex-start; margin: 0 0 24px; }
section > div { background: #f7f8fa; border: 1px solid #d9dce1; border-radius: 10px; padding: 12px; }
.desktop { width: 560px; flex: none; } .phone { width: 343px; flex: none; }
.where { margin: 0 0 8px; font-size: 12px; color: #8f959e; }
.card { background: #fff; border-radius: 8px; overflow: hidden; border: 1px solid #dee0e3; overflow-wrap: anywhere; }
.text { padding: 8px 14px; } .text p { margin: 6px 0; } .text ul, .text ol { margin: 4px 0; padding-left: 20px; }
.text h1, .text h2, .text h3, .text h4, .text h5, .text h6 { margin: 6px 0; font-size: 16px; line-height: 1.4; }
.text blockquote { margin: 6px 0; padding-left: 10px; border-left: 3px solid #d0d3d6; color: #646a73; }
.text pre { margin: 6px 0; padding: 8px; background: #f2f3f5; border-radius: 4px; overflow: auto; }
.text code { font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
.text hr { border: 0; border-top: 1px solid #dee0e3; } a { color: #1456f0; } .grey { color: #8f959e; }
.plain { white-space: pre-wrap; padding: 10px 14px; }
.header { padding: 10px 14px; font-weight: 600; font-size: 16px; background: #bacefd; }
.header i { font: 600 12px/18px inherit; font-style: normal; padding: 0 6px; margin-left: 6px; border-radius: 4px; background: #ffffffb3; }
.red, .carmine { background: #fdc6c4; } .orange { background: #fed4a4; } .yellow { background: #fff67a; }
.green { background: #b7edb1; } .turquoise, .wathet { background: #b1e8fc; } .violet, .purple, .indigo { background: #cdb2fa; }
.header.grey { background: #eff0f1; color: inherit; }
.buttons { padding: 2px 14px 12px; display: flex; flex-wrap: wrap; gap: 8px; }
.buttons span { padding: 3px 12px; border: 1px solid #d0d3d6; border-radius: 6px; }
.buttons .primary { color: #fff; background: #1456f0; border-color: #1456f0; }
.stacked { padding: 0; display: block; } .stacked span { display: block; border: 0; border-top: 1px solid #dee0e3; border-radius: 0; padding: 9px; text-align: center; color: #1677ff; }
details { margin: 4px 0; padding: 6px 10px; background: #f7f8fa; border: 1px solid #dee0e3; border-radius: 6px; } summary { font-weight: 600; }
`;
