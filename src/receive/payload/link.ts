/** A link when it is an absolute http(s) one, or one that starts at the sender's root (`/…`, `?orgId=1`) resolved against it; else ''. */
export function toLink(sent: string, root: string): string {
  if (/^https?:\/\//i.test(sent)) return normalise(sent, undefined);
  return root !== '' && /^[/?]/.test(sent) ? normalise(sent, root) : '';
}

/** Left as sent where nothing in it needs encoding: a link people know should look as they know it. */
function normalise(sent: string, root: string | undefined): string {
  if (!URL.canParse(sent, root)) return '';
  const isClean = root === undefined && !/[\s\p{Cc}]/u.test(sent);
  return isClean ? sent : new URL(sent, root).href;
}
