import ipaddr from 'ipaddr.js';

/** What may be dialled: anything, only where private addresses are allowed, never. */
export type Reach = 'public' | 'private' | 'never';

/** Cloud metadata services: they hand credentials to whoever asks, so not even `allow_private` opens them. */
const METADATA: ReadonlySet<string> = new Set(['169.254.169.254', '100.100.100.200', 'fd00:ec2::254']);

/** Everything else that is no public unicast (link-local, CGNAT, multicast, mapped, NAT64, 6to4, …) is out of reach. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal']);

/** Sorts an address. What is no address at all is never dialled. */
export function reachOf(address: string): Reach {
  if (!ipaddr.isValid(address)) return 'never';
  const parsed = ipaddr.parse(address);
  if (METADATA.has(parsed.toString())) return 'never';
  const range = parsed.range();
  if (range === 'unicast') return 'public';
  return PRIVATE_RANGES.has(range) ? 'private' : 'never';
}

/** The address a URL's host is, without brackets; undefined when it is a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/gu, '');
  return ipaddr.isValid(bare) ? bare : undefined;
}
