import { lookup as systemLookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { LookupFunction, Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import type { EgressSettings } from '../domain/settings.ts';
import { permitsAddress } from './egress.ts';

/** Refused by our own guard: nothing was sent. */
export class EgressDenied extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EgressDenied';
  }
}

/** Certificates to trust: the built-in roots, and the ones of `egress.ca_file`. */
export function trustedRoots(caFile: string): { readonly ca?: string[] } {
  return caFile === '' ? {} : { ca: [...rootCertificates, readFileSync(caFile, 'utf8')] };
}

/**
 * Opens connections through the guard: names are resolved here, addresses that must not be dialled
 * are filtered out, and the one that was dialled is looked at once more. Dialling what was checked
 * leaves no gap for a name that changes its address in between. `timeoutMs` is for DNS, TCP and TLS together.
 */
export function guardedConnector(
  egress: EgressSettings,
  timeoutMs: number,
  lookup: LookupFunction = systemLookup,
): buildConnector.connector {
  const roots = trustedRoots(egress.caFile);
  const connectors = new Map<string, buildConnector.connector>();
  const connectorOf = (url: URL): buildConnector.connector => {
    const known = connectors.get(url.origin);
    if (known !== undefined) return known;
    const guarded = guardedLookup(url, egress, lookup);
    const made = buildConnector({ ...roots, timeout: timeoutMs, allowH2: false, lookup: guarded });
    connectors.set(url.origin, made);
    return made;
  };
  return (options, callback) => {
    const url = urlOf(options);
    connectorOf(url)(options, (error, socket) => {
      if (error !== null) callback(error, null);
      else if (isDialled(socket, url, egress)) callback(null, socket);
      else {
        socket.destroy();
        callback(new EgressDenied('the connection led to an address that must not be dialled'), null);
      }
    });
  };
}

/** undici hands an IPv6 address over without its brackets. */
function urlOf({ protocol, hostname, port }: buildConnector.Options): URL {
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
  return new URL(`${protocol}//${host}${port === '' ? '' : `:${port}`}`);
}

/** No address means the socket is gone already, and the request will find that out. */
function isDialled(socket: Socket, url: URL, egress: EgressSettings): boolean {
  return socket.remoteAddress === undefined || permitsAddress(url, socket.remoteAddress, egress);
}

/** Called by the socket with `all` or without; a name with a good and a bad address keeps the good one. */
export function guardedLookup(url: URL, egress: EgressSettings, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const all =
        typeof found === 'string' ? [{ address: found, family: options.family === 6 ? 6 : 4 }] : found;
      const permitted = all.filter(({ address }) => permitsAddress(url, address, egress));
      const [first] = permitted;
      if (first === undefined)
        return callback(new EgressDenied('the name leads only to addresses that must not be dialled'), []);
      return options.all === true ? callback(null, permitted) : callback(null, first.address, first.family);
    });
  };
}
