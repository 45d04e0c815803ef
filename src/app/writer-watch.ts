import type { Clock } from '../domain/clock.ts';
import type { Store } from '../domain/store.ts';

const EVERY_MS = 1_000;
/** A writer that answers nothing for so long will not come back: a restart may. */
const STALLED_AFTER_MS = 10_000;

/** Asks the writer for a sign of life every second; returns what stops it. */
export function watchWriter(
  store: Pick<Store, 'ping'>,
  clock: Clock,
  onStalled: (error: unknown) => void,
): () => void {
  let isStopped = false;
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = clock.after(EVERY_MS, () => {
      store.ping(STALLED_AFTER_MS).then(
        () => isStopped || next(),
        (error: unknown) => isStopped || onStalled(error),
      );
    });
  };
  next();
  return () => {
    isStopped = true;
    cancel();
  };
}
