import type { Emit, Event } from '../domain/events.ts';

/**
 * Joins observers into one. What an observer throws goes to `onFault` and no further: watching must
 * never break what is watched, nor keep the event from the other observers.
 */
export function combine(observers: readonly Emit[], onFault: (error: unknown, event: Event) => void): Emit {
  return (event) => {
    for (const observe of observers) {
      try {
        observe(event);
      } catch (error) {
        report(onFault, error, event);
      }
    }
  };
}

function report(onFault: (error: unknown, event: Event) => void, error: unknown, event: Event): void {
  try {
    onFault(error, event);
  } catch {
    // Nobody is left to tell, and the caller is in the middle of a delivery.
  }
}
