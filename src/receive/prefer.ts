/** The longest a request may wait for outcomes: Grafana's own test gives up after 15 s. */
export const MAX_WAIT_MS = 10_000;

/** `Prefer: wait=<seconds>` (RFC 7240) in ms, at most `MAX_WAIT_MS`; undefined when not asked for. */
export function preferredWaitMs(prefer: readonly string[]): number | undefined {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(prefer.join(','))?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1000, MAX_WAIT_MS);
}
