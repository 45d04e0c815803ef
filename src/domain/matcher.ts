/** One label condition, as Alertmanager writes them: `severity="critical"`, `team=~"pay.*"`. */
export interface Matcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
  /** Tells whether a value passes; a label that is missing counts as ''. */
  readonly matches: (value: string) => boolean;
}

/** What needs quotes in Alertmanager's syntax; anything else, in any script, may stand bare. */
export const BARE = /^[^\s{}!=~,\\"'`]+/;

/** Writes a matcher in its canonical form, for reports. */
export function formatMatcher(matcher: Matcher): string {
  const value = matcher.value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  const name =
    BARE.exec(matcher.label)?.[0] === matcher.label ? matcher.label : JSON.stringify(matcher.label);
  return `${name}${matcher.operator}"${value}"`;
}
