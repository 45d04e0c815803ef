import type { Answer } from '../../src/channels/provider.ts';

type Answered = Extract<Answer, { kind: 'answered' }>;

/** An answer with a body as text, or as JSON when it is an object. */
export function answered(body: unknown, changes: Partial<Answered> = {}): Answer {
  return {
    kind: 'answered',
    httpStatus: 200,
    headers: {},
    body: typeof body === 'string' ? body : JSON.stringify(body),
    isCutOff: false,
    ...changes,
  };
}
