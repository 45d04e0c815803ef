import { NOTICE_SOURCE } from '../domain/notification.ts';
import type { Issue } from './issues.ts';
import { didYouMean, type Path } from './problems.ts';
import { children, type Entry, get, keyOf, text, texts } from './tree.ts';

/** What only shows when parts of the configuration are held against each other. */
export function crossCheck(tree: unknown): Issue[] {
  const root: Entry = { path: [], value: tree };
  const channels = children(get(root, 'channels'));
  const names = channels.map(keyOf);
  return [
    ...children(get(root, 'sources')).flatMap((source) => checkSource(source, names)),
    ...channels.flatMap((channel) => checkFallback(channel, names)),
    ...children(get(root, 'routes')).flatMap((route) => checkReferences(get(route, 'channels'), names)),
    ...checkRanks(get(get(root, 'severity'), 'ranks')),
  ];
}

function checkSource(source: Entry, names: readonly string[]): Issue[] {
  const issues = [
    ...checkReferences(get(source, 'channels'), names),
    ...checkReferences(get(source, 'allow_channels'), names),
  ];
  if (keyOf(source) !== NOTICE_SOURCE) return issues;
  const message = `the name ${NOTICE_SOURCE} is reserved for notices of this program`;
  return [...issues, { path: source.path, message, part: 'key' }];
}

function checkReferences(list: Entry, names: readonly string[]): Issue[] {
  const seen = new Set<string>();
  return texts(list).flatMap(({ path, value }) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    if (isRepeated) return [{ path, message: `names channel "${value}" twice` }];
    return undefinedChannel(path, value, names);
  });
}

function checkFallback(channel: Entry, names: readonly string[]): Issue[] {
  const fallback = get(channel, 'fallback');
  const value = text(fallback);
  if (value === undefined) return [];
  if (value === keyOf(channel)) return [{ path: fallback.path, message: 'must name another channel' }];
  return undefinedChannel(fallback.path, value, names);
}

function undefinedChannel(path: Path, value: string, names: readonly string[]): Issue[] {
  if (names.includes(value)) return [];
  const known = names.length === 0 ? '' : `; known: ${names.join(', ')}`;
  return [{ path, message: `there is no channel "${value}"${didYouMean(value, names)}${known}` }];
}

function checkRanks(ranks: Entry): Issue[] {
  const rankBy = new Map<string, string>();
  const issues: Issue[] = [];
  for (const rank of children(ranks)) {
    for (const { path, value } of texts(rank)) {
      const earlier = rankBy.get(value.toLowerCase());
      if (earlier !== undefined)
        issues.push({ path, message: `"${value}" already stands in rank ${earlier}` });
      rankBy.set(value.toLowerCase(), keyOf(rank));
    }
  }
  return issues;
}
