import type { AcceptResult, PlannedDelivery } from '../domain/accepted.ts';
import type { Clock } from '../domain/clock.ts';
import { groupHash } from '../domain/dedup.ts';
import { AlertcardError } from '../domain/errors.ts';
import type { Emit } from '../domain/events.ts';
import type { makeId } from '../domain/ids.ts';
import type { Format, Notification } from '../domain/notification.ts';
import { type Problem, problem } from '../domain/problem.ts';
import type { SourceSettings } from '../domain/settings.ts';
import type { Store } from '../domain/store.ts';
import { type Answer, keptBody, problemOf, refusal } from './answer.ts';
import { type Arrival, buildAccepted } from './entry.ts';
import { type Advise, answerOutcomes, type Verdicts } from './outcomes.ts';
import { parseNotification } from './payload/parse.ts';
import { MAX_WAIT_MS } from './prefer.ts';

/** Plans a notification's deliveries. With `pathChannel` routes are bypassed and only that channel is planned. */
export type Plan = (
  notification: Notification,
  source: SourceSettings,
  pathChannel: string | undefined,
) => readonly PlannedDelivery[];

/**
 * Waits until every delivery has a verdict that is not followed at once by a simpler form, or the time
 * is up. Called as soon as the store has answered, before any attempt can have ended.
 */
type WaitForOutcomes = (deliveries: readonly PlannedDelivery[], timeoutMs: number) => Promise<Verdicts>;

export interface AcceptDeps {
  readonly store: Pick<Store, 'accept' | 'knowsChannel'>;
  readonly plan: Plan;
  /** Names of the channels configured now. */
  readonly channelNames: () => readonly string[];
  readonly clock: Clock;
  readonly makeId: typeof makeId;
  readonly emit: Emit;
  readonly waitForOutcomes: WaitForOutcomes;
  readonly advise: Advise;
  /** Told of an exception in parsing or planning, for the log: the notification was kept all the same. */
  readonly onPlanFailure: (error: unknown, source: string) => void;
}

/** A request whose sender is known to be who it should be. */
export interface AcceptRequest {
  readonly source: SourceSettings;
  /** undefined when routes decide. */
  readonly pathChannel: string | undefined;
  /** The bytes as signed, or `{"bytes":N}` with format `stub` where they were too many to keep. */
  readonly body: Uint8Array;
  readonly format?: Extract<Format, 'stub'>;
  /** Length of what was sent, whether kept or not. */
  readonly bytes: number;
  /** SHA-256 of what was sent, hex. */
  readonly bodyHash: string;
  /** The signed one; undefined when the source sends none. */
  readonly timestamp: string | undefined;
  /** `Prefer: wait`; undefined when not asked for. */
  readonly waitMs: number | undefined;
  /** When the request began, by `clock.now()`. */
  readonly startedAt: number;
  /** Called when the bytes need no longer be held: they are stored, or refused. */
  readonly onBodyFree: () => void;
}

export type Accept = (request: AcceptRequest) => Promise<Answer>;

/** Makes the function that keeps authenticated requests: parse, plan, commit, and only then answer. */
export function createAccept(deps: AcceptDeps): Accept {
  return async (request) => {
    const kept = await keep(deps, request).finally(request.onBodyFree);
    if (kept.kind === 'answered') return kept.answer;
    const { arrival, deliveries } = kept;
    const { isTest } = arrival.notification;
    const waitMs = request.waitMs ?? (isTest ? MAX_WAIT_MS : undefined);
    // Registered before the event that wakes the lanes, so that no verdict is missed.
    const outcomes = waitMs === undefined ? undefined : deps.waitForOutcomes(deliveries, waitMs);
    deps.emit({
      kind: 'accepted',
      source: request.source.name,
      notificationId: arrival.id,
      channels: [...new Set(deliveries.map(({ channel }) => channel))],
      format: arrival.notification.format,
      status: arrival.notification.status,
      alerts: arrival.notification.alerts.length,
      bytes: request.bytes,
      ackMs: deps.clock.now() - request.startedAt,
    });
    if (outcomes === undefined) return { status: 202, body: keptBody(arrival.id) };
    return answerOutcomes({
      id: arrival.id,
      deliveries,
      verdicts: await outcomes,
      isTest,
      advise: deps.advise,
    });
  };
}

type Kept =
  | { readonly kind: 'kept'; readonly arrival: Arrival; readonly deliveries: readonly PlannedDelivery[] }
  | { readonly kind: 'answered'; readonly answer: Answer };

async function keep(deps: AcceptDeps, request: AcceptRequest): Promise<Kept> {
  const { source } = request;
  const refuse = (refused: Problem): Kept => {
    deps.emit({ kind: 'refused', source: source.name, code: refused.code, status: refused.status });
    return { kind: 'answered', answer: refusal(refused) };
  };
  let channels: Awaited<ReturnType<typeof channelsFor>>;
  try {
    channels = await channelsFor(deps, request);
  } catch (error) {
    return refuse(lookupProblem(error));
  }
  if (channels === undefined) return refuse(unknownChannel(deps, source));
  const planned = planArrival(deps, request, channels);
  let result: AcceptResult;
  try {
    result = await deps.store.accept(buildAccepted(planned.arrival, planned.deliveries));
  } catch (error) {
    return refuse(storeProblem(error));
  }
  if (result.kind === 'kept') return { kind: 'kept', ...planned };
  deps.emit({
    kind: 'duplicate',
    source: source.name,
    notificationId: result.id,
    ackMs: deps.clock.now() - request.startedAt,
  });
  return { kind: 'answered', answer: { status: 200, body: { id: result.id, status: 'duplicate' } } };
}

/**
 * The path channels to plan for, [undefined] when routes decide, undefined for a channel nobody knows.
 * A channel that was taken out of the configuration hands what comes for it to the source's defaults.
 */
async function channelsFor(
  deps: AcceptDeps,
  request: AcceptRequest,
): Promise<readonly (string | undefined)[] | undefined> {
  const { source, pathChannel } = request;
  if (pathChannel === undefined) return [undefined];
  if (deps.channelNames().includes(pathChannel))
    return allows(source, pathChannel) ? [pathChannel] : undefined;
  return (await deps.store.knowsChannel(pathChannel)) ? source.channels : undefined;
}

function allows(source: SourceSettings, channel: string): boolean {
  return source.allowChannels.length === 0 || source.allowChannels.includes(channel);
}

function unknownChannel(deps: AcceptDeps, source: SourceSettings): Problem {
  const known = deps.channelNames().filter((name) => allows(source, name));
  return problem('unknown_channel', `This source can reach: ${known.join(', ')}.`);
}

/** Parses and plans. What breaks in either is delivered as text to the source's own channels: the alert must not be lost. */
function planArrival(
  deps: AcceptDeps,
  request: AcceptRequest,
  channels: readonly (string | undefined)[],
): { readonly arrival: Arrival; readonly deliveries: readonly PlannedDelivery[] } {
  const { source, body, bodyHash, timestamp, format } = request;
  const base = {
    id: deps.makeId('ntf'),
    source,
    pathChannel: request.pathChannel ?? '',
    body,
    bodyHash,
    timestamp,
    receivedAt: deps.clock.wall(),
  };
  const context = { source: source.name, id: base.id };
  try {
    const notification = parseNotification(body, format === undefined ? context : { ...context, format });
    const deliveries = channels.flatMap((channel) => deps.plan(notification, source, channel));
    return { arrival: { ...base, notification }, deliveries };
  } catch (error) {
    deps.onPlanFailure(error, source.name);
    const notification = parseNotification(body, { ...context, format: format ?? 'unreadable' });
    return { arrival: { ...base, notification }, deliveries: planAsText(deps, notification, source) };
  }
}

/** The plan of last resort, first in its lanes: nobody knows how bad it is. */
function planAsText(
  deps: AcceptDeps,
  notification: Notification,
  source: SourceSettings,
): readonly PlannedDelivery[] {
  const { org, receiver, groupKey } = notification;
  const lineHash = groupHash(source.name, org, receiver, groupKey);
  return source.channels.map((channel) => ({
    id: deps.makeId('dlv'),
    channel,
    lineHash,
    rank: 0,
    isFiring: true,
    selection: null,
    mentionAll: false,
  }));
}

/** The store was only asked for a channel: nothing was kept, whatever failed. */
function lookupProblem(error: unknown): Problem {
  if (error instanceof AlertcardError) return problemOf(error);
  return problem('store_unavailable', 'The store could not be read; nothing was kept.');
}

/** Only the store's own refusal says that nothing was kept; after any other failure nobody knows. */
function storeProblem(error: unknown): Problem {
  if (error instanceof AlertcardError) return problemOf(error);
  return problem(
    'store_outcome_unknown',
    'The store failed without saying whether the notification was kept; sending it again is safe.',
  );
}
