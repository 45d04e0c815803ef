/** One label condition, as Alertmanager writes them: `severity="critical"`, `team=~"pay.*"`. */
export interface Matcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
  /** Tells whether a value passes; a label that is missing counts as ''. */
  readonly matches: (value: string) => boolean;
}
