import { createHash } from 'node:crypto';
import type { Engine } from '../deliver/engine.ts';
import type { Clock } from '../domain/clock.ts';
import { groupHash } from '../domain/dedup.ts';
import { AlertcardError } from '../domain/errors.ts';
import type { Emit } from '../domain/events.ts';
import { hintFor } from '../domain/hints.ts';
import { makeId } from '../domain/ids.ts';
import type { SourceSettings } from '../domain/settings.ts';
import type { Store } from '../domain/store.ts';
import { buildAccepted } from '../receive/entry.ts';
import { parseNotification } from '../receive/payload/parse.ts';
import type { ChannelTest } from '../web/ports.ts';
import type { Live } from './live.ts';
import { worstVerdict } from './worst-verdict.ts';

/** A person waits for the answer; the card goes on trying afterwards. */
const WAIT_MS = 10_000;

export interface TestCardDeps {
  readonly live: () => Live;
  readonly store: Pick<Store, 'accept'>;
  readonly engine: Pick<Engine, 'probe' | 'waitForOutcomes' | 'sendTest'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

/** Sends a test card, or a payload as a test, to one channel the way alerts go, and tells what came of it. */
export async function sendTestCard(
  deps: TestCardDeps,
  channelName: string,
  payload: string | undefined,
): Promise<ChannelTest> {
  const channel = deps.live().settings.channels.get(channelName);
  if (channel === undefined)
    throw new AlertcardError('unknown_channel', `There is no channel ${channelName}.`);
  const { notificationId, verdict } =
    payload === undefined
      ? await deps.engine.sendTest(channelName, WAIT_MS)
      : await sendPayload(deps, channelName, Buffer.from(payload));
  const reason = verdict?.reason;
  return {
    notificationId,
    outcome: verdict?.outcome,
    reason,
    providerCode: verdict?.providerCode,
    providerText: verdict?.providerText,
    advice: reason === undefined || reason === 'ok' ? '' : hintFor(reason, channel.provider),
  };
}

type Tested = Awaited<ReturnType<Engine['sendTest']>>;

async function sendPayload(deps: TestCardDeps, channel: string, body: Buffer): Promise<Tested> {
  const { settings, planner } = deps.live();
  const [source] = settings.sources.values();
  if (source === undefined) throw new AlertcardError('unknown_source', 'No source is configured.');
  const id = makeId('ntf');
  const read = parseNotification(body, { source: source.name, id });
  // A group of its own: a test must not become the newest word on a real group.
  const notification = { ...read, isTest: true, groupKey: `test:${id}` };
  const group = groupHash(source.name, notification.org, notification.receiver, notification.groupKey);
  const deliveries = planner.plan({ notification, source, pathChannel: channel, groupHash: group });
  const accepted = buildAccepted(
    {
      id,
      notification,
      source: withoutDedup(source),
      pathChannel: channel,
      body,
      bodyHash: createHash('sha256').update(body).digest('hex'),
      timestamp: undefined,
      receivedAt: deps.clock.wall(),
    },
    deliveries,
  );
  if (deliveries.length === 0)
    throw new AlertcardError('bad_request', 'The channel shows nothing of this payload: see send_resolved.');
  const startedAt = deps.clock.now();
  await deps.store.accept(accepted);
  deps.engine.probe(channel);
  deps.emit({
    kind: 'accepted',
    source: source.name,
    notificationId: id,
    channels: [channel],
    format: notification.format,
    status: notification.status,
    alerts: notification.alerts.length,
    bytes: body.byteLength,
    ackMs: deps.clock.now() - startedAt,
  });
  const ids = deliveries.map((delivery) => delivery.id);
  const verdicts = await deps.engine.waitForOutcomes(ids, WAIT_MS);
  return { notificationId: id, verdict: worstVerdict(ids.map((deliveryId) => verdicts.get(deliveryId))) };
}

function withoutDedup(source: SourceSettings): SourceSettings {
  return { ...source, dedupWindowMs: 0 };
}
