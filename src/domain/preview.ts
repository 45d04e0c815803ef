import type { Format } from './notification.ts';
import type { ProviderName, Rung } from './settings.ts';

/** A template and a payload to turn into messages, nothing sent. */
export interface PreviewInput {
  readonly template: string;
  /** undefined: every provider that has the template. */
  readonly provider: ProviderName | undefined;
  /** A webhook body as its sender would post it. */
  readonly payload: string;
  /** What the store knows of a payload that it kept; undefined for one that was never sent. */
  readonly stored?: { readonly source: string; readonly format: Format };
}

export interface PreviewedMessage {
  readonly provider: ProviderName;
  /** The rung really made: another than the first when the template or its size forced it. */
  readonly rung: Rung;
  /** The provider's exact message JSON, without signature. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly bytes: number;
  readonly shown: number;
  readonly omitted: number;
  /** What went wrong on the way, e.g. the error of a template. */
  readonly warnings: readonly string[];
}
