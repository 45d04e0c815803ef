/** What became of reading the configuration anew. */
export type ReloadResult =
  | { readonly ok: true; readonly warnings: readonly string[] }
  /** Nothing was changed. */
  | { readonly ok: false; readonly problems: readonly string[] };
