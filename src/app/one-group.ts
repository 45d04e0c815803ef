import { type FoldedGroup, foldLine } from '../domain/fold.ts';
import { makeId } from '../domain/ids.ts';
import type { Format } from '../domain/notification.ts';
import type { WorkLine } from '../domain/work.ts';
import { parseNotification } from '../receive/payload/parse.ts';

export interface OneBody {
  readonly body: Uint8Array;
  readonly source: string;
  /** undefined: whatever the body is recognised as. */
  readonly format: Format | undefined;
  /** Epoch ms, wall clock. */
  readonly receivedAt: number;
}

/** Reads a body that is in no store as a group of its own: for previews and for what is sent from memory. */
export function groupOfOne({ body, source, format, receivedAt }: OneBody): FoldedGroup {
  const notificationId = makeId('ntf');
  const notification = parseNotification(body, {
    source,
    id: notificationId,
    ...(format === undefined ? {} : { format }),
  });
  const line: WorkLine = {
    lineHash: '',
    rank: 0,
    rung: 0,
    attempts: 0,
    interruptions: 0,
    isPossibleRepeat: false,
    withoutMentions: false,
    isReplay: false,
    deliveryCount: 1,
    oldestReceivedAt: receivedAt,
    oldestSeq: 0,
    newestSeq: 0,
    alertStates: [],
    entries: [
      {
        deliveryId: makeId('dlv'),
        notificationId,
        seq: 0,
        source,
        receivedAt,
        format: notification.format,
        isTest: notification.isTest,
        pathChannel: '',
        body,
        selection: null,
        mentionAll: false,
      },
    ],
  };
  return foldLine(line, new Map([[notificationId, notification]]));
}
