const PROBLEM_CONTENT = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
} as const;

const TEXT = { type: 'string' } as const;

function parameter(name: string, description: string): object {
  return { name, in: 'path', required: true, description, schema: TEXT };
}

const HOOK_RESPONSES = {
  200: { description: 'a duplicate: the id is the first one', content: keptContent('duplicate') },
  202: { description: 'kept', content: keptContent('accepted') },
  ...Object.fromEntries(
    Object.entries({
      400: 'empty_body',
      401: 'signature_missing, signature_mismatch, signature_repeated, timestamp_missing, timestamp_out_of_window, credentials_wrong',
      404: 'unknown_source, unknown_channel',
      408: 'request_too_slow',
      413: 'body_too_large',
      415: 'content_encoding_unsupported',
      500: 'store_outcome_unknown',
      502: 'test_not_delivered',
      503: 'store_unavailable, overloaded',
    }).map(([status, description]) => [status, { description, content: PROBLEM_CONTENT }]),
  ),
} as const;

function keptContent(status: 'accepted' | 'duplicate'): object {
  return {
    'application/json': {
      schema: {
        type: 'object',
        required: ['id', 'status'],
        properties: {
          id: TEXT,
          status: { const: status },
          ...(status === 'accepted'
            ? { status_url: TEXT, outcomes: { type: 'object', additionalProperties: TEXT } }
            : {}),
        },
      },
    },
  };
}

function hook(summary: string, parameters: readonly object[]): object {
  const operation = {
    summary,
    parameters: [
      ...parameters,
      {
        name: 'Prefer',
        in: 'header',
        description: '`wait=<seconds>`, at most 10: answer after the attempt, with the outcome',
        schema: TEXT,
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: {} } } },
    responses: HOOK_RESPONSES,
  };
  return { post: operation, put: operation };
}

function open(summary: string, responses: Readonly<Record<number, string>>): object {
  return {
    get: {
      summary,
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, description]) => [status, { description }]),
      ),
    },
  };
}

/** The paths that need no admin token. Their handlers read no schema: the hook takes any bytes. */
export const OPEN_PATHS: Readonly<Record<string, object>> = {
  '/hooks/{source}': hook('Accept a notification; routes decide the channels', [
    parameter('source', 'a configured source'),
  ]),
  '/hooks/{source}/{channel}': hook('Accept a notification for this one channel', [
    parameter('source', 'a configured source'),
    parameter('channel', 'a configured channel'),
  ]),
  '/healthz': open('Whether the process and its writer live', { 200: 'alive', 503: 'store_unavailable' }),
  '/readyz': open('Whether it can accept, with the state of every channel', {
    200: 'ready',
    503: 'not ready, with the reason',
  }),
  '/metrics': open('Metrics in the text format of Prometheus', { 200: 'metrics' }),
};
