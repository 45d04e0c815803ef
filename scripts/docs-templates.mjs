// Makes the template guide from the lists that rendering itself uses, and from the examples the tests render.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  ALERT_FIELDS,
  CONTEXT_FIELDS,
  FRONT_MATTER_FIELDS,
  GROUP_FIELDS,
} from '../dist/render/context-fields.js';
import { HELPERS } from '../dist/render/helpers.js';
import { wordsOf } from '../dist/render/words.js';
import { page, table } from './docs-page.mjs';

const EXAMPLES = resolve(import.meta.dirname, '../docs/examples');

/** The text of docs/templates.md. */
export function templatesPage() {
  return page('Templates', [
    ...opening(),
    ...builtIn(),
    ...frontMatter(),
    ...escaping(),
    ...examples(),
    ...json(),
    ...reference(),
    ...mistakes(),
  ]);
}

function opening() {
  return [
    'A card looks as its template says. A template is one [Handlebars](https://handlebarsjs.com/guide/) file for each provider and name: `<templates_dir>/<provider>/<name>.hbs`, with `dingtalk` or `feishu` as the provider. A channel names the template it uses:',
    code(
      'yaml',
      'templates_dir: ./templates\nchannels:\n  ops:\n    provider: dingtalk\n    template: payments   # templates/dingtalk/payments.hbs',
    ),
    'Files that serve a channel with template `payments` and locale `en`, the first that exists:',
    [
      '1. your own `payments.en.json.hbs`, then your own `payments.json.hbs` (see below),',
      '2. your own `payments.en.hbs`, then your own `payments.hbs`,',
      '3. the built-in `payments.en.hbs`, then the built-in `payments.hbs`,',
      '4. the built-in `default.hbs`; the card then says that there is no template `payments`.',
    ].join('\n'),
    'So a file of your own named `default.hbs` changes every channel of its provider, one named `default.en.hbs` only those in English. Start from a copy of a built-in one: they lie in `templates/` beside the program.',
    'See the result without sending anything, try every template of the configuration against the samples that come with the program, and send one:',
    code(
      'sh',
      'alertcard preview --template payments --payload body.json\nalertcard preview --template payments --notification ntf_…   # one the server has accepted\nalertcard check\nalertcard send-test --channel ops --payload body.json',
    ),
    'A running server takes changed files on `alertcard reload` or SIGHUP.',
  ];
}

function builtIn() {
  return [
    '## Built-in templates',
    'For both providers, each in Chinese and English:',
    table(
      ['name', 'shows'],
      [
        ['`default`', 'what a person needs to act, and what to press'],
        ['`compact`', 'one line for each alert: for rooms with many'],
        ['`oncall`', 'everything known of each alert, with links of its own'],
        [
          '`table`',
          'Feishu: a table with one row for each alert. DingTalk, whose app draws no tables on a phone: a short list',
        ],
      ],
    ),
  ];
}

function frontMatter() {
  return [
    '## The file',
    'Front matter between two lines `---`, in YAML, and below it the body in the markdown of the provider. The YAML is read first and its texts are rendered afterwards, each by itself: no value can break its structure. Write every text in quotes. All keys may be left out, and so may the front matter.',
    table(
      ['key', 'meaning'],
      FRONT_MATTER_FIELDS.map(({ path, doc }) => [`\`${path}\``, doc]),
    ),
    'What must not be missing is put around the body by Alertcard itself: that a card comes late or once more, how many alerts are not shown and a link to them, what Grafana left out, the id of the notification. The keyword of a robot and the people to mention are added after rendering; a template does not see them.',
  ];
}

function escaping() {
  return [
    '## Escaping',
    'Values are escaped for the place they land in. There is nothing to remember, except that `{{{x}}}` and `md` are for texts whose markdown you want.',
    table(
      ['written', 'in the body', 'in title, tags and button texts', 'in the url of a button'],
      [
        ['`{{x}}`', 'inert: shown as it is', 'plain text on one line', 'as it is'],
        ['`{{{x}}}`', 'markdown acts; mentions and HTML do not', 'plain text on one line', 'as it is'],
        ['`{{md x}}`', 'harmless markdown acts, links are checked', 'plain text on one line', 'as it is'],
        ['`{{link text url}}`', 'a link; its text alone when it is not http(s)', 'the text', 'the url'],
      ],
    ),
    'A url is looked at once it is whole: http or https, or the button is left out. Within one, `{{urlencode x}}` makes a value safe. Missing values, also of missing fields, are blank. Objects and lists are blank too: use `pairs`, `join` or `each`.',
  ];
}

function examples() {
  return [
    '## Examples',
    'Each of these is rendered by the tests.',
    'DingTalk: a link to a wiki, labels with dots in their names, fewer lines for each alert of a large group.',
    example('dingtalk/payments.hbs'),
    'Feishu: a colour of its own, tags, and a part of the body that is used twice.',
    example('feishu/payments.hbs'),
  ];
}

function json() {
  return [
    '## The whole message',
    'A file `<name>.json.hbs` writes the message itself, in the JSON of DingTalk (`text`, `markdown`, `link`, `actionCard`) or Feishu (`interactive` with a card of JSON 2.0 or 1.0, `text`, `post`). It has no front matter.',
    [
      '- `{{x}}` is written as part of a JSON string: put the quotes around it. Mentions and HTML in values do not act. Which strings are markdown only you know: `{{inert x}}` keeps its marks from acting, `{{md x}}` and `{{link text url}}` work as in a body.',
      '- `{{{x}}}` is written as it is, for values that are JSON themselves.',
      '- Commas between items: `{{#unless @last}},{{/unless}}`.',
      '- The keyword, mentions, and what a reader must know (late, repeated, alerts not shown) are put in; when there is nothing to say, nothing is. DingTalk mentions people in text and markdown only: a message of another type becomes markdown for it. The id of the notification is yours to show, as `{{notificationId}}`.',
      '- A message that is too large is rendered again with fewer alerts. One that is no JSON, or that the robot would refuse, gives way to the other templates of that name, and the card says so.',
      '- It serves the form the channel starts with (`form`). When the robot refuses it, the next form comes from `<name>.hbs` or the built-in one.',
    ].join('\n'),
    'DingTalk: two buttons side by side.',
    example('dingtalk/link.json.hbs'),
    'Feishu: columns.',
    example('feishu/columns.json.hbs'),
  ];
}

function reference() {
  return [
    '## What a template sees',
    'Within `{{#each alerts}}` the names are those of the alert; `@root.` reaches the card: `{{@root.counts.firing}}`. At most 200 alerts are shown, the worst; `counts` and `omitted` say how many there are. When a card would get too large, it is rendered again with fewer alerts and shorter texts.',
    table(
      ['field', 'meaning'],
      CONTEXT_FIELDS.map(({ path, doc }) => [`\`${path}\``, doc]),
    ),
    '### Of an alert',
    table(
      ['field', 'meaning'],
      ALERT_FIELDS.map(({ path, doc }) => [`\`${path}\``, doc]),
    ),
    '### Of a group',
    'In a storm several groups share a card. The template `digest` serves it, whatever template the channel has; a file `<provider>/digest.hbs` of your own takes its place. There `{{#each groups}}` goes through the groups of which something is shown.',
    table(
      ['field', 'meaning'],
      GROUP_FIELDS.map(({ path, doc }) => [`\`${path}\``, doc]),
    ),
    '### Helpers',
    'Besides these there are `each`, `if`, `unless`, `with` and `lookup` of Handlebars. Parts of a body may be named with `{{#*inline "row"}}…{{/inline}}` and used with `{{> row}}` in the same file.',
    table(
      ['helper', 'written', 'meaning'],
      Object.entries(HELPERS).map(([name, { usage, doc }]) => [`\`${name}\``, `\`${usage}\``, doc]),
    ),
    '### Words',
    "What `{{t …}}` writes, by key. `{…}` is filled in: `{{t 'more' count=3}}`.",
    table(['key', 'en', 'zh-CN'], wordRows()),
  ];
}

function wordRows() {
  const { texts } = wordsOf('zh-CN');
  return Object.entries(wordsOf('en').texts).map(([key, text]) => [`\`${key}\``, text, texts[key]]);
}

function mistakes() {
  return [
    '## When a template is wrong',
    'A file that does not compile is reported with file, line, column and the line itself, and `alertcard check` ends with exit code 2:',
    code(
      'text',
      'templates/dingtalk/payments.hbs:12:9: there is no helper "datee"; known are ago, and, date, default, …\n  - since {{datee startsAt}}\n          ^',
    ),
    'A running server goes on with the built-in template of that name, logs it, sets `alertcard_template_broken`, and says so on the cards. A template that fails while a card is made gives way in the same manner, for that card. `alertcard check` renders every template that a channel names with every sample, and warns of what comes out blank or too large.',
  ];
}

function example(file) {
  return [`\`${file}\`:`, code('handlebars', readFileSync(resolve(EXAMPLES, file), 'utf8').trimEnd())].join(
    '\n\n',
  );
}

function code(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
