import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlannedDelivery } from '../../src/domain/accepted.ts';
import type { Verdict } from '../../src/domain/outcome.ts';
import { answerOutcomes, type Verdicts } from '../../src/receive/outcomes.ts';
import { preferredWaitMs } from '../../src/receive/prefer.ts';
import { type Hook, startHook } from './harness.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');
const TEST_BUTTON = readFileSync(join(FIXTURES, 'v13-test-button.json'));
const FIRING = readFileSync(join(FIXTURES, 'v13-firing-single.json'));
const WAIT = { Prefer: 'wait=3' };

const open: Hook[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((hook) => hook.close()));
});

/** A hook whose robots say what `verdictOf` gives for their channel, with a record of the waits. */
async function start(verdictOf: (channel: string) => Verdict | undefined) {
  const waits: { keptBefore: number; eventsBefore: number; timeoutMs: number }[] = [];
  const hook: Hook = await startHook({
    deps: {
      advise: (reason, channel) =>
        reason === 'bad_signature' ? `Copy the secret of the robot behind ${channel}.` : 'Wait.',
      waitForOutcomes: async (
        deliveries: readonly PlannedDelivery[],
        timeoutMs: number,
      ): Promise<Verdicts> => {
        waits.push({ keptBefore: hook.store.kept.length, eventsBefore: hook.events.length, timeoutMs });
        const verdicts = new Map<PlannedDelivery['id'], Verdict>();
        for (const { id, channel } of deliveries) {
          const verdict = verdictOf(channel);
          if (verdict !== undefined) verdicts.set(id, verdict);
        }
        return verdicts;
      },
    },
  });
  open.push(hook);
  return { hook, waits };
}

const ADVICE = 'Copy the secret of the robot behind dev.';
const DELIVERED: Verdict = { outcome: 'delivered', reason: 'ok', providerCode: '0' };
const BAD_SIGNATURE: Verdict = {
  outcome: 'misconfigured',
  reason: 'bad_signature',
  httpStatus: 200,
  providerCode: '310000',
  providerText: '签名不匹配\n"sign not match"',
};

describe("Grafana's test button", () => {
  it('is kept first, then waited for, and told what the robots said', async () => {
    const { hook, waits } = await start(() => DELIVERED);

    const answer = await hook.post(TEST_BUTTON);

    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({
      status: 'accepted',
      outcomes: { ops: 'delivered', dev: 'delivered' },
    });
    expect(waits).toEqual([{ keptBefore: 1, eventsBefore: 0, timeoutMs: 10_000 }]);
    expect(hook.store.kept[0]?.entry).toMatchObject({ isTest: true, dedup: undefined });
  });

  it('is never a duplicate of an earlier press', async () => {
    const { hook } = await start(() => DELIVERED);
    await hook.post(TEST_BUTTON);
    hook.clock.advance(1000);

    const again = await hook.post(TEST_BUTTON);

    expect(again.status).toBe(202);
    expect(hook.store.kept).toHaveLength(2);
  });

  it('hears within the first 1,024 bytes what a robot refused, why, and what to do', async () => {
    const { hook } = await start((channel) => (channel === 'ops' ? DELIVERED : BAD_SIGNATURE));

    const answer = await hook.post(TEST_BUTTON);

    const shown = Buffer.from(answer.text).subarray(0, 1024).toString();
    expect(answer.status).toBe(502);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.json).toMatchObject({
      code: 'test_not_delivered',
      status: 502,
      id: hook.store.kept[0]?.entry.id,
    });
    expect(answer.json.outcomes).toEqual({ ops: 'delivered', dev: 'misconfigured' });
    for (const part of ['dev', 'misconfigured', '310000', '签名不匹配', ADVICE])
      expect(shown).toContain(part);
  });

  it('hears the advice within 1,024 bytes however long the robot talks', async () => {
    const talkative = { ...BAD_SIGNATURE, providerText: '\u0000"\\好'.repeat(1_000) };
    const { hook } = await start((channel) => (channel === 'dev' ? talkative : DELIVERED));

    const answer = await hook.post(TEST_BUTTON);

    const shown = Buffer.from(answer.text).subarray(0, 1024).toString();
    expect(shown).toContain(ADVICE);
    expect(answer.json.detail.length).toBeLessThan(640);
  });

  it('that no robot answered in time is not taken for delivered', async () => {
    const { hook } = await start(() => undefined);

    const answer = await hook.post(TEST_BUTTON);

    expect(answer.status).toBe(502);
    expect(answer.json).toMatchObject({
      code: 'test_not_delivered',
      outcomes: { ops: 'scheduled', dev: 'scheduled' },
    });
    expect(answer.json.detail).toContain('no answer');
  });

  it('that failed was still accepted, not refused', async () => {
    const { hook } = await start(() => BAD_SIGNATURE);

    await hook.post(TEST_BUTTON);

    expect(hook.events.map(({ kind }) => kind)).toEqual(['accepted']);
  });
});

describe('a channel with a card per alert', () => {
  it('is told as failed when one of its cards failed, whichever came first', () => {
    const deliveries = (['dlv_1', 'dlv_2', 'dlv_3'] as const).map((id) => ({
      id,
      channel: 'constructor',
      lineHash: 'l',
      rank: 1,
      isFiring: true,
      selection: null,
      mentionAll: false,
    }));
    const verdicts = new Map(
      deliveries.map(({ id }) => [id, id === 'dlv_2' ? BAD_SIGNATURE : DELIVERED] as const),
    );

    const answer = answerOutcomes({ id: 'ntf_1', deliveries, verdicts, isTest: false, advise: () => '' });

    expect(answer).toMatchObject({ status: 502, body: { outcomes: { constructor: 'misconfigured' } } });
  });
});

describe('a request that prefers to wait', () => {
  it('waits as long as it asked and is told the state known by then', async () => {
    const { hook, waits } = await start((channel) => (channel === 'ops' ? DELIVERED : undefined));

    const answer = await hook.post(FIRING, { headers: WAIT });

    expect(answer.status).toBe(202);
    expect(answer.json.outcomes).toEqual({ ops: 'delivered', dev: 'scheduled' });
    expect(waits.map(({ timeoutMs }) => timeoutMs)).toEqual([3_000]);
  });

  it('hears of a failure', async () => {
    const { hook } = await start(() => ({ outcome: 'throttled', reason: 'rate_limited' }));

    const answer = await hook.post(FIRING, { headers: WAIT });

    expect([answer.status, answer.json.code]).toEqual([502, 'test_not_delivered']);
    expect(answer.json.detail).toMatch(/^Channel ops: throttled \(rate_limited\)\. Wait\. \(and 1 more\)$/);
  });

  it('is not waited for when it is a duplicate', async () => {
    const { hook, waits } = await start(() => DELIVERED);
    await hook.post(FIRING);

    const answer = await hook.post(FIRING, { headers: WAIT });

    expect(answer.json.status).toBe('duplicate');
    expect(waits).toEqual([]);
  });

  it.each([
    ['wait=3', 3_000],
    ['respond-async, wait=10', 10_000],
    ['wait = "5"; foo', 5_000],
    ['wait=0', 0],
    ['wait=600', 10_000],
    ['wait=soon', undefined],
    ['await=3', undefined],
    ['wait=-1', undefined],
    ['', undefined],
  ])('by %j waits %s ms', (prefer, expected) => {
    expect(preferredWaitMs([prefer])).toBe(expected);
  });
});
