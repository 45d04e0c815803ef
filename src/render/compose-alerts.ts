import type { Press } from './card.ts';
import type { CardInput, ComposedCard, Encoded } from './card-input.ts';
import { makeContexts } from './context.ts';
import { largestWithin } from './fit.ts';
import type { Frame } from './frame.ts';
import { MAX_ALERTS, type PreparedGroup } from './prepare.ts';
import { type Way, waysOf } from './ways.ts';

/** Longest single text of an alert, tried in this order until enough alerts fit; bytes. */
const TEXT_LIMITS = [16_384, 4_096, 1_024, 256, 96] as const;

/** As many alerts shown are worth more than their full texts. */
const ENOUGH_ALERTS = 5;

/** The card of a group of alerts on one rung; undefined when not even one alert fits there. */
export function composeAlerts(input: CardInput, prepared: PreparedGroup): ComposedCard | undefined {
  let failed: ComposedCard['failed'];
  for (const way of waysOf(input)) {
    try {
      const fitted = fitAlerts(input, prepared, way, failed ?? way.broken);
      if (fitted !== undefined) return { ...fitted, template: way.served, failed };
      if (!way.givesWay) return undefined;
      throw new Error('not even one alert fits the size of a message');
    } catch (error) {
      failed ??= { template: way.served, message: error instanceof Error ? error.message : String(error) };
    }
  }
  return undefined;
}

type Fitted = Omit<ComposedCard, 'template' | 'failed'>;

/** The most alerts that fit with the longest texts that leave room for enough of them. */
function fitAlerts(
  input: CardInput,
  prepared: PreparedGroup,
  way: Way,
  broken: Frame['broken'],
): Fitted | undefined {
  const press = pressOf(input, prepared, broken);
  const enough = Math.min(prepared.ordered.length, input.digest === undefined ? ENOUGH_ALERTS : MAX_ALERTS);
  let best: Fitted | undefined;
  for (const maxTextBytes of TEXT_LIMITS) {
    const fitted = fitAt(maxTextBytes, input, prepared, way, press);
    if (fitted !== undefined && (best === undefined || fitted.shown > best.shown)) best = fitted;
    if (best !== undefined && best.shown >= Math.min(enough, way.maxAlerts)) return best;
  }
  return best;
}

function fitAt(
  maxTextBytes: number,
  input: CardInput,
  prepared: PreparedGroup,
  way: Way,
  press: Press,
): Fitted | undefined {
  const contexts = makeContexts(prepared, maxTextBytes);
  const limit = input.target.limits.maxRequestBytes;
  const { total } = input.group.counts;
  const tried = new Map<number, Encoded>();
  const measure = (shown: number): number => {
    const encoded = way.make(contexts(shown), press);
    tried.set(shown, encoded);
    return encoded.bytes;
  };
  // A notification without alerts (none selected) still has a title to show.
  const most = Math.min(prepared.ordered.length, way.maxAlerts, MAX_ALERTS);
  const shown = most === 0 ? 0 : largestWithin(most, limit, measure);
  if (most === 0) measure(0);
  const encoded = tried.get(shown);
  if (encoded === undefined || encoded.bytes > limit) return undefined;
  return { ...encoded, shown, omitted: total - shown };
}

function pressOf(input: CardInput, prepared: PreparedGroup, broken: Frame['broken']): Press {
  const { target, rung, mentions, isSandbox, publicUrl, marks, zone } = input;
  return {
    prepared,
    zone,
    dialect: target.dialect(rung),
    frame: { isSandbox, broken, publicUrl, marks },
    mentions,
    maxButtons: target.limits.maxButtons,
  };
}
