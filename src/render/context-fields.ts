/** A field that templates see, with what the template guide says of it. */
export interface Field {
  readonly path: string;
  readonly doc: string;
}

/** Keys of the front matter, each with what the template guide says of it. */
export const FRONT_MATTER_FIELDS: readonly Field[] = [
  { path: 'title', doc: 'One line of plain text. The name of the alerts when left out or blank.' },
  {
    path: 'tone',
    doc: 'Colour of the card. `auto`, also when left out: by status and severity. Else one of `critical`, `error`, `warning`, `info`, `resolved`, `mixed`, `notice`, or a colour: any header colour of Feishu; `red`, `orange`, `yellow`, `green`, `blue`, `purple`, `grey` for DingTalk, drawn as a mark before the title.',
  },
  { path: 'tags', doc: 'Up to three short texts beside the title. The severity when left out.' },
  { path: 'max_alerts', doc: 'Most alerts the card shows; as many as fit when left out.' },
  {
    path: 'buttons',
    doc: 'A list of `{ text: "…", url: "…" }`, up to five. One whose url renders blank, or is not http(s), is left out.',
  },
];

/** Fields of the card as a whole. */
export const CONTEXT_FIELDS: readonly Field[] = [
  {
    path: 'status',
    doc: 'firing or resolved, over what is shown; firing also when Grafana left alerts out.',
  },
  {
    path: 'name',
    doc: 'Name of the alerts (the rule, also for DatasourceError and DatasourceNoData), never blank.',
  },
  { path: 'badge', doc: 'Status and counts for the title: FIRING:3, RESOLVED:2; with a mark for tests.' },
  { path: 'state', doc: 'What all alerts shown have in common besides firing: no data, query failed …' },
  { path: 'severity', doc: 'Severity label of the worst alert.' },
  {
    path: 'firingCounts',
    doc: 'How many fire with each severity, the worst first: a list of mark (a coloured dot), name and count.',
  },
  { path: 'since', doc: 'When the first of those that fire began to, epoch ms; null when none fires.' },
  { path: 'alerts', doc: 'The alerts shown, the worst first: firing, no longer reported, resolved.' },
  { path: 'firing', doc: 'Those of them that fire.' },
  { path: 'resolved', doc: 'Those of them that are resolved.' },
  {
    path: 'noLongerReported',
    doc: 'Those that Grafana stopped reporting without saying that they resolved.',
  },
  { path: 'labels', doc: 'Labels that all alerts share. Names with dots: labels.[app.kubernetes.io/name].' },
  { path: 'annotations', doc: 'Annotations that all alerts share.' },
  { path: 'groupLabels', doc: 'Labels that Grafana grouped by.' },
  {
    path: 'commonLabels',
    doc: 'Shared labels worth showing, as a list of name and value; empty for a single alert.',
  },
  { path: 'description', doc: 'The description, when all of several alerts have the same.' },
  { path: 'counts', doc: 'firing, resolved, noLongerReported, total: of all alerts, shown or not.' },
  { path: 'omitted', doc: 'Alerts not shown because they do not fit. The card says so itself.' },
  { path: 'truncatedAlerts', doc: 'Alerts that Grafana left out (maxAlerts). The card says so itself.' },
  { path: 'isMixed', doc: 'Whether alerts of more than one kind are in the group.' },
  { path: 'isShort', doc: 'Whether the group has two to five alerts: room for links of each.' },
  { path: 'isDigest', doc: 'Whether the card is for several groups: then the template named digest serves.' },
  { path: 'groups', doc: 'The groups of a digest of which something is shown, the worst first.' },
  {
    path: 'groupCounts',
    doc: 'total, firing, resolved: groups of a digest, shown or not; omitted: those of which nothing is shown.',
  },
  { path: 'severities', doc: 'name, firing, over of each severity on a digest, the worst first.' },
  { path: 'isLong', doc: 'Whether the group has more alerts than that: a line for each.' },
  { path: 'isTest', doc: "Whether Grafana's test button sent it." },
  { path: 'isReminder', doc: 'Whether nothing changed since the last card. The card says so itself.' },
  {
    path: 'links',
    doc: 'panel, dashboard, rule, silence (all that fire), runbook, logs, list; blank when there is none.',
  },
  { path: 'image', doc: 'URL of the first screenshot, or blank.' },
  { path: 'source', doc: 'Name of the source in the configuration.' },
  { path: 'receiver', doc: 'Contact point as Grafana names it.' },
  { path: 'channel', doc: 'Name of the channel in the configuration.' },
  { path: 'notificationId', doc: 'Id of the newest notification on the card. The card shows it itself.' },
  { path: 'notifications', doc: 'How many notifications this card brings.' },
  { path: 'now', doc: 'When the card was made, epoch ms.' },
  { path: 'marks', doc: 'late, isReplay, isPossibleRepeat, deaths. The card says them itself.' },
];

/** Fields of each group in groups. */
export const GROUP_FIELDS: readonly Field[] = [
  { path: 'status', doc: 'firing or resolved.' },
  { path: 'isFiring', doc: 'Whether something in it fires.' },
  { path: 'name', doc: 'Name of its alerts, never blank.' },
  { path: 'badge', doc: 'Status and counts: FIRING:3, RESOLVED:2.' },
  { path: 'receiver', doc: 'Contact point as Grafana names it.' },
  { path: 'links', doc: 'Links of its worst alert: panel, dashboard, rule, silence, runbook, logs.' },
  { path: 'alerts', doc: 'Its worst alerts, three at most.' },
  { path: 'counts', doc: 'firing, resolved, noLongerReported, total: of all its alerts.' },
  { path: 'omitted', doc: 'Alerts of the group that are not shown.' },
];

/** Fields of each alert in alerts, firing, resolved and noLongerReported. */
export const ALERT_FIELDS: readonly Field[] = [
  { path: 'status', doc: 'firing or resolved.' },
  { path: 'isFiring', doc: 'Whether it fires.' },
  { path: 'isResolved', doc: 'Whether it is resolved.' },
  {
    path: 'isNoLongerReported',
    doc: 'Whether Grafana stopped reporting it without saying that it resolved.',
  },
  { path: 'isNews', doc: 'Whether it fired or resolved since the last card.' },
  { path: 'opensSection', doc: 'Whether it is the first of its kind in a mixed group.' },
  { path: 'mark', doc: 'A dot in the colour of its severity; green when resolved.' },
  { path: 'name', doc: 'alertname, or the rule behind DatasourceError and DatasourceNoData.' },
  {
    path: 'summary',
    doc: 'One line, never blank: summary, else the first line of the description, else the name.',
  },
  {
    path: 'headline',
    doc: 'The summary; its key labels where that only repeats the title; blank when there are none.',
  },
  {
    path: 'facts',
    doc: 'Key labels that the headline does not say, as a list of name and value.',
  },
  { path: 'figures', doc: 'The values, where the headline holds no number.' },
  {
    path: 'description',
    doc: 'The description unless it is said already. As sent: annotations.description.',
  },
  { path: 'state', doc: 'no data, query failed, series disappeared …; blank for an ordinary alert.' },
  { path: 'error', doc: 'Text of the Error annotation.' },
  { path: 'severity', doc: 'Its severity label.' },
  { path: 'labels', doc: 'All its labels.' },
  { path: 'annotations', doc: 'All its annotations.' },
  { path: 'keyLabels', doc: 'Labels that tell it from the others, as a list of name and value.' },
  {
    path: 'values',
    doc: 'Values as a list of name and value, without that of the condition; a letter standing alone is no name. None when resolved, without data or failed.',
  },
  { path: 'startsAt', doc: 'Start of the episode, epoch ms; null when unknown.' },
  { path: 'endsAt', doc: 'End, epoch ms; null while firing.' },
  { path: 'durationMs', doc: 'Length when resolved, ms; null otherwise.' },
  {
    path: 'reportedResolvedAt',
    doc: 'Fires with a start not after this known end, epoch ms: a late copy, or firing again.',
  },
  { path: 'links', doc: 'panel, dashboard, rule, silence, runbook, logs; blank when there is none.' },
  { path: 'image', doc: 'URL of its screenshot, or blank.' },
  { path: 'fingerprint', doc: "Grafana's fingerprint." },
];
