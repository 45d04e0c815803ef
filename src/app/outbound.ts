import { providerOf } from '../channels/registry.ts';
import { createRobotSender } from '../channels/robot-sender.ts';
import { createSender, type RequestSender } from '../channels/send.ts';
import type { Sender } from '../deliver/ports.ts';
import { NO_MENTIONS } from '../domain/card.ts';
import type { Clock } from '../domain/clock.ts';
import type { Notice } from '../domain/notice.ts';
import { NOTICE_SOURCE } from '../domain/notification.ts';
import type { Verdict } from '../domain/outcome.ts';
import type { ChannelSettings } from '../domain/settings.ts';
import type { Live } from './live.ts';
import { groupOfOne } from './one-group.ts';
import type { AppOptions } from './options.ts';

export interface Outbound extends Sender {
  /** Sends what comes later by new egress settings; what is in flight ends by the old ones. */
  reload(): void;
  close(): Promise<void>;
}

/** The way out, remade when a reload changes the egress settings. */
export function createOutbound(live: () => Live, clock: Clock, options: AppOptions): Outbound {
  const { dispatcherFactory } = options;
  const open = (): RequestSender =>
    createSender({
      egress: live().settings.egress,
      clock,
      ...(dispatcherFactory === undefined ? {} : { dispatcherFactory }),
    });
  let current = open();
  let inFlight = new Set<Promise<unknown>>();
  return {
    async send(channel, robotKey, message) {
      const sending = createRobotSender({ sender: current, clock }).send(channel, robotKey, message);
      const flights = inFlight;
      flights.add(sending);
      return sending.finally(() => flights.delete(sending));
    },
    reload() {
      const [old, flights] = [current, inFlight];
      current = open();
      inFlight = new Set();
      void Promise.allSettled(flights).then(() => old.close());
    },
    close: () => current.close(),
  };
}

/** Composes a notice and sends it once from memory: for when the store refuses to keep anything. */
export async function sendUnstored(
  deps: { readonly live: () => Live; readonly sender: Sender; readonly clock: Clock },
  channel: ChannelSettings,
  robotKey: string,
  notice: Notice,
): Promise<Verdict> {
  const now = deps.clock.wall();
  const body = Buffer.from(JSON.stringify(notice));
  const composed = deps.live().compose({
    group: groupOfOne({ body, source: NOTICE_SOURCE, format: 'notice', receivedAt: now }),
    channel,
    rung: channel.form,
    marks: { late: undefined, isReplay: false, isPossibleRepeat: false, deaths: 0 },
    mentions: NO_MENTIONS,
    target: providerOf(channel.provider),
    isSigned: channel.robots.some(({ secret }) => secret !== undefined),
    now,
  });
  return deps.sender.send(channel, robotKey, composed.message);
}
