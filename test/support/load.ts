import { notificationBody, pause, postSigned } from './program.ts';

/** Senders that post notifications one after another until they are stopped or the program is gone. */
interface Load {
  /** Ids that were answered 2xx so far. */
  readonly acknowledged: string[];
  /** How many answers came with each status. */
  readonly statuses: Map<number, number>;
  /** Ends the senders; resolves when the last has its answer. */
  stop(): Promise<void>;
}

let loads = 0;

/** Starts so many senders; each notification is a group of its own. */
export function startLoad(port: number, senders = 6): Load {
  loads += 1;
  const prefix = `load${loads}`;
  const acknowledged: string[] = [];
  const statuses = new Map<number, number>();
  let isRunning = true;
  const send = async (sender: number): Promise<void> => {
    for (let count = 0; isRunning; count++) {
      const answer = await postSigned(port, notificationBody(`${prefix}s${sender}n${count}`));
      if (answer === undefined) return;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status < 300 && answer.id !== undefined) acknowledged.push(answer.id);
      if (answer.status >= 500) await pause(20);
    }
  };
  const sending = Promise.all(Array.from({ length: senders }, (_, sender) => send(sender)));
  return {
    acknowledged,
    statuses,
    stop: async () => {
      isRunning = false;
      await sending;
    },
  };
}
