import { describe, expect, it } from 'vitest';
import { markdownToHtml } from '../../src/commands/preview-markdown.ts';
import { previewPage } from '../../src/commands/preview-page.ts';
import type { PreviewedMessage } from '../../src/domain/preview.ts';

const DINGTALK = { breaksAtNewline: false };
const FEISHU = { breaksAtNewline: true };

function previewed(provider: 'dingtalk' | 'feishu', message: PreviewedMessage['message']): PreviewedMessage {
  return { provider, rung: 'text', message, bytes: 812, shown: 1, omitted: 0, warnings: [] };
}

describe('the markdown of a preview', () => {
  it.each([
    ['### a **b**', '<h3>a <b>b</b></h3>'],
    ['> a\n> b', '<blockquote><p>a b</p></blockquote>'],
    ['- a\n- *b*', '<ul><li>a</li><li><i>b</i></li></ul>'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['```sh\n<b> & **\n```', '<pre><code>&lt;b&gt; &amp; **</code></pre>'],
    ['a\n\n---\n\nb', '<p>a</p>\n\n<hr>\n\n<p>b</p>'],
    ['see [x](https://e.example/a)', '<p>see <a title="https://e.example/a">x</a></p>'],
    ['`a*b*`', '<p><code>a*b*</code></p>'],
    ["<font color='grey'>a</font> <at id=all></at>", '<p><span class="grey">a</span> <a>@all</a></p>'],
    ['a\n- b', '<p>a</p>\n<ul><li>b</li></ul>'],
  ])('%j is %s', (text, html) => {
    expect(markdownToHtml(text, DINGTALK)).toBe(html);
  });

  it('breaks lines where the chat does', () => {
    expect(markdownToHtml('a\nb  \nc', DINGTALK)).toBe('<p>a b<br>c</p>');
    expect(markdownToHtml('a\nb', FEISHU)).toBe('<p>a<br>b</p>');
  });

  it('shows what was made harmless as it was sent, and any other tag as text', () => {
    expect(markdownToHtml('\\*a\\* &#42;b&#42; &lt;i>', DINGTALK)).toBe('<p>*a* &#42;b&#42; &lt;i&gt;</p>');
    expect(markdownToHtml('<script>alert(1)</script>', FEISHU)).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    );
  });
});

describe('the page', () => {
  it('shows a DingTalk card with its buttons, once as wide as a desktop and once as a phone', () => {
    const actionCard = {
      title: 't',
      text: '### [FIRING:1] <x>',
      btns: [{ title: 'Panel & more', actionURL: 'dingtalk://x' }],
    };

    const page = previewPage([previewed('dingtalk', { msgtype: 'actionCard', actionCard })]);

    expect(page.match(/<h3>\[FIRING:1\] &lt;x&gt;<\/h3>/gu)).toHaveLength(2);
    expect(page.match(/<span>Panel &amp; more<\/span>/gu)).toHaveLength(2);
    expect(page).toContain('dingtalk text, 812 bytes, desktop');
    expect(page).toContain('dingtalk text, 812 bytes, phone');
  });

  it('shows a Feishu card with header colour, tags, columns of buttons and what is folded away', () => {
    const button = { tag: 'button', type: 'primary', text: { tag: 'plain_text', content: 'Silence' } };
    const panel = {
      tag: 'collapsible_panel',
      header: { title: { tag: 'plain_text', content: 'The rest' } },
      elements: [{ tag: 'markdown', content: '**more**' }],
    };
    const card = {
      header: {
        template: 'red',
        title: { content: 'disk full' },
        text_tag_list: [{ tag: 'text_tag', text: { content: 'critical' } }],
      },
      body: {
        elements: [
          { tag: 'markdown', content: 'a\nb' },
          { tag: 'column_set', columns: [{ tag: 'column', elements: [button] }] },
          panel,
        ],
      },
    };

    const page = previewPage([previewed('feishu', { msg_type: 'interactive', card })]);

    expect(page).toContain('<div class="header red">disk full<i>critical</i></div>');
    expect(page).toContain('<p>a<br>b</p>');
    expect(page).toContain('<span class="primary">Silence</span>');
    expect(page).toContain(
      '<details><summary>▸ The rest</summary><div class="text"><p><b>more</b></p></div></details>',
    );
  });

  it('shows buttons of an old Feishu card and the lines of text messages', () => {
    const old = {
      header: { template: 'blue', title: { content: 'old' } },
      elements: [{ tag: 'action', actions: [{ tag: 'button', text: { content: 'Go' } }] }, { tag: 'hr' }],
    };

    const page = previewPage([
      previewed('feishu', { msg_type: 'interactive', card: old }),
      previewed('feishu', { msg_type: 'text', content: { text: 'a <b>\nb' } }),
      previewed('dingtalk', { msgtype: 'text', text: { content: 'c' } }),
    ]);

    expect(page).toContain('<span>Go</span>');
    expect(page).toContain('<div class="plain">a &lt;b&gt;\nb</div>');
    expect(page).toContain('<div class="plain">c</div>');
  });

  it('loads nothing from anywhere', () => {
    const page = previewPage([
      previewed('dingtalk', { msgtype: 'markdown', markdown: { text: '![](https://e.example/x.png)' } }),
    ]);

    expect(page).not.toMatch(/\b(?:src|href)=|url\(|@import|<script/u);
  });
});
