/** Printable ASCII, line feed, tab, and the blocks of Chinese: nothing in them is a control, turns direction or is half a pair. */
const PLAIN = /^[\n\t\x20-\x7E\u3000-\u9FFF\uFF00-\uFFEF]*$/;

/** Whether every character of a text can be shown as it is. Most texts are so, and asking costs a fraction of cleaning. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}
