import { describe, expect, it } from 'vitest';
import { makeLabels } from '../../src/domain/alert.ts';
import { formatMatcher } from '../../src/domain/matcher.ts';
import { matchesAll, parseMatcher, pseudoLabels } from '../../src/route/matcher.ts';

const NO_PSEUDO = makeLabels();

describe('parseMatcher', () => {
  it.each([
    ['severity="critical"', 'severity', '=', 'critical'],
    ['severity=critical', 'severity', '=', 'critical'],
    ['  team != "a b"  ', 'team', '!=', 'a b'],
    ['team=~"pay.*"', 'team', '=~', 'pay.*'],
    ['team !~ pay', 'team', '!~', 'pay'],
    ['"app.kubernetes.io/name"="x"', 'app.kubernetes.io/name', '=', 'x'],
    ['app.kubernetes.io/name=x', 'app.kubernetes.io/name', '=', 'x'],
    ['级别=严重', '级别', '=', '严重'],
    ['note="a \\"quoted\\" \\\\ line\\nbreak"', 'note', '=', 'a "quoted" \\ line\nbreak'],
    ['path=~"a\\.b"', 'path', '=~', 'a\\.b'],
    ['empty=""', 'empty', '=', ''],
    ['empty=', 'empty', '=', ''],
    ['a="x=y,z{}"', 'a', '=', 'x=y,z{}'],
  ])('reads %s', (text, label, operator, value) => {
    const matcher = parseMatcher(text);

    expect(matcher).toMatchObject({ label, operator, value });
  });

  it.each([
    ['', 'a label name is missing (position 1)'],
    ['="x"', 'a label name is missing (position 1)'],
    ['severity', 'expected one of = != =~ !~ (position 9)'],
    ['severity - critical', 'expected one of = != =~ !~ (position 10)'],
    ['severity=="critical"', 'put the value in double quotes (position 10)'],
    ['severity="critical', 'the quote is not closed (position 10)'],
    ['"severity=x', 'the quote is not closed (position 1)'],
    ['severity="critical", team="x"', 'one matcher per list item'],
    ['severity=very high', 'put the value in double quotes (position 15)'],
    ['{severity="critical"}', 'a label name is missing (position 1)'],
    ['team=~"pay("', 'not a regular expression'],
    ['team=~"(a+)+"', 'a repetition around a repetition is refused at position 5'],
  ])('refuses %s and says where', (text, message) => {
    expect(() => parseMatcher(text)).toThrow(message);
  });

  it.each(['severity="critical"', '"with space"=~"a\\\\d \\"x\\""', 'a!="line\\nbreak"', '级别="严重"'])(
    'writes %s back as it reads it',
    (text) => {
      const once = parseMatcher(text);

      const twice = parseMatcher(formatMatcher(once));

      expect({ ...twice, matches: undefined }).toEqual({ ...once, matches: undefined });
    },
  );
});

describe('a matcher', () => {
  it.each([
    ['a="x"', 'x', true],
    ['a="x"', 'X', false],
    ['a!="x"', '', true],
    ['a=~"pay.*"', 'payments', true],
    ['a=~"pay"', 'payments', false],
    ['a=~"x|y"', 'xy', false],
    ['a!~"x|y"', 'z', true],
    ['a=~".*"', '', true],
    ['a=~".+"', '', false],
    ['a=~"a.b"', 'a\nb', false],
    ['a=~"(?s)a.b"', 'a\nb', true],
    ['a=~"a.b"', 'a\u2028b', true],
    ['a=~"(?i)critical"', 'CRITICAL', true],
    ['a=~"(?P<team>pay)-(?:x|y)"', 'pay-y', true],
    ['a=~"[[:alpha:]]+"', 'abc', true],
    ['a=~"[[:alpha:]_-]+"', 'a_-b', true],
    ['a=~"[]x]+"', ']x', true],
    ['a=~"[^]x]"', ']', false],
    ['a=~"a\\-b\\_c\\/d"', 'a-b_c/d', true],
    ['a=~"\\Qa.b*\\E.c"', 'a.b*xc', true],
    ['a=~"\\Qa.b\\E"', 'axb', false],
    ['a=~"\\Aabc\\z"', 'abc', true],
    ['a=~"\\p{Han}+"', '严重', true],
    ['a=~"\\PL+"', '123', true],
    ['a=~"\\x{4e25}"', '严', true],
    ['a=~"a\\sb"', 'a\u00a0b', false],
    ['a=~"{x}"', '{x}', true],
    ['a=~"x{2,3}"', 'xxx', true],
    ['a=~"😀."', '😀😀', true],
    ['a=~"(a+)?b*"', 'aabb', true],
  ])('%s on %j gives %s', (text, value, expected) => {
    const matcher = parseMatcher(text);

    const passes = matcher.matches(value);

    expect(passes).toBe(expected);
  });

  it.each([
    ['(?=x)', 'lookaround'],
    ['(?<!x)y', 'lookaround'],
    ['(a)\\1', '\\1 at position 4'],
    ['a(?i)b', 'flags at position 2'],
    ['(?m)a', 'flags at position 1'],
    ['[a', 'not closed'],
    ['[[:nope:]]', 'no character class'],
    ['a{1001}', 'more than 1000'],
    ['[\\S]', 'write the class out'],
    ['((a*)b)*', 'position 8'],
    ['(a{2,})+', 'position 8'],
    ['a'.repeat(2_001), 'longer than 2000'],
  ])('refuses the pattern %s', (pattern, message) => {
    expect(() => parseMatcher(`a=~"${pattern}"`)).toThrow(message);
  });
});

describe('matchesAll', () => {
  it('counts a missing label as empty', () => {
    const passes = matchesAll([parseMatcher('team=""')], makeLabels([['other', 'x']]), NO_PSEUDO);

    expect(passes).toBe(true);
  });

  it('asks for every matcher and passes an empty list', () => {
    const labels = makeLabels([['a', '1']]);

    const both = matchesAll([parseMatcher('a=1'), parseMatcher('b=2')], labels, NO_PSEUDO);
    const none = matchesAll([], labels, NO_PSEUDO);

    expect([both, none]).toEqual([false, true]);
  });

  it('sees source, organisation and receiver, which a label cannot shadow', () => {
    const pseudo = pseudoLabels({ source: 'grafana', org: '1', receiver: 'on.call' });
    const labels = makeLabels([['__source__', 'forged']]);

    const passes = matchesAll(
      [parseMatcher('__source__=grafana'), parseMatcher('__org__=1'), parseMatcher('__receiver__="on.call"')],
      labels,
      pseudo,
    );

    expect(passes).toBe(true);
  });

  it('knows no label by the name of what every object has', () => {
    const passes = matchesAll([parseMatcher('constructor=""')], makeLabels(), NO_PSEUDO);

    expect(passes).toBe(true);
  });
});
