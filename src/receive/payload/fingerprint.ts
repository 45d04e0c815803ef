import type { Alert, Labels } from '../../domain/alert.ts';
import { hashParts } from '../../domain/dedup.ts';

/** A longer fingerprint is stored as its hash; Grafana's and Alertmanager's have 16 characters. */
const MAX_LENGTH = 200;

/** Name and value pairs in one order, whatever order they were sent in. */
export function sortedPairs(labels: Labels): string[] {
  return Object.keys(labels)
    .sort()
    .flatMap((name) => [name, labels[name] ?? '']);
}

/** Identity for an alert whose sender gave none that tells it from others: a hash of labels and annotations. */
export function computeFingerprint(labels: Labels, annotations: Labels): string {
  return hashParts([...sortedPairs(labels), 'annotations', ...sortedPairs(annotations)]).slice(0, 32);
}

/**
 * Gives every alert an identity: where the sender gave none, and where one body repeats a fingerprint
 * over different labels (templates that copy it from the wrong place), it is computed.
 */
export function withFingerprints(sent: readonly Alert[]): readonly Alert[] {
  const alerts = sent.map((alert) =>
    alert.fingerprint.length > MAX_LENGTH ? { ...alert, fingerprint: hashParts([alert.fingerprint]) } : alert,
  );
  const labelsOf = new Map<string, Labels>();
  const ambiguous = new Set<string>(['']);
  for (const { fingerprint, labels } of alerts) {
    if (fingerprint === '') continue;
    const first = labelsOf.get(fingerprint);
    if (first === undefined) labelsOf.set(fingerprint, labels);
    else if (!areEqual(first, labels)) ambiguous.add(fingerprint);
  }
  return alerts.map((alert) =>
    ambiguous.has(alert.fingerprint)
      ? { ...alert, fingerprint: computeFingerprint(alert.labels, alert.annotations) }
      : alert,
  );
}

function areEqual(left: Labels, right: Labels): boolean {
  return hashParts(sortedPairs(left)) === hashParts(sortedPairs(right));
}
