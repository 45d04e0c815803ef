import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/domain/errors.ts';
import { problem } from '../../src/domain/problem.ts';

describe('problem', () => {
  it('carries the status and a stable code', () => {
    expect(problem('timestamp_missing', 'Set the timestamp header in the contact point.')).toEqual({
      type: 'urn:alertcard:problem:timestamp_missing',
      title: 'timestamp missing',
      status: 401,
      code: 'timestamp_missing',
      detail: 'Set the timestamp header in the contact point.',
    });
  });

  it('always has a status that HTTP can carry', () => {
    const codes = Object.keys(ERROR_CODES) as ErrorCode[];

    const statuses = codes.map((code) => problem(code, '').status);

    expect(statuses.every((status) => status >= 400 && status < 600)).toBe(true);
  });
});
