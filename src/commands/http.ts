import { request } from 'undici';
import type { HttpFunction } from './context.ts';

/** One request to our own server: no redirects, no proxy, one time limit over all. */
export const httpRequest: HttpFunction = async ({ method, url, headers, body, timeoutMs }) => {
  const answer = await request(url, {
    method,
    headers: { ...headers },
    body: body ?? null,
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: answer.statusCode, body: await answer.body.text() };
};
