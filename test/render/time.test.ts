import { describe, expect, it } from 'vitest';
import { makeZoneClock, writeDuration } from '../../src/render/time.ts';
import { wordsOf } from '../../src/render/words.ts';

const AT = Date.UTC(2026, 2, 2, 8, 20, 30, 157);

describe('writing an instant', () => {
  it.each([
    ['Asia/Shanghai', '2026-03-02 16:20:30 +08:00'],
    ['UTC', '2026-03-02 08:20:30 +00:00'],
    ['America/New_York', '2026-03-02 03:20:30 -05:00'],
    ['Asia/Kathmandu', '2026-03-02 14:05:30 +05:45'],
    ['Not/AZone', '2026-03-02 08:20:30 +00:00'],
  ])('in %s gives %s', (zone, expected) => {
    expect(makeZoneClock(zone).full(AT)).toBe(expected);
  });

  it('follows summer time to the minute', () => {
    const clock = makeZoneClock('Europe/Berlin');
    const change = Date.UTC(2026, 2, 29, 1);

    expect(clock.full(change - 1_000)).toBe('2026-03-29 01:59:59 +01:00');
    expect(clock.full(change)).toBe('2026-03-29 03:00:00 +02:00');
  });

  it('writes midnight as 00', () => {
    expect(makeZoneClock('Asia/Shanghai').time(Date.UTC(2026, 2, 2, 16))).toBe('00:00:00');
  });

  it('writes nothing for what is no instant', () => {
    const clock = makeZoneClock('UTC');

    expect([clock.full(Number.NaN), clock.full(9e15), clock.time(Number.POSITIVE_INFINITY)]).toEqual([
      '',
      '',
      '',
    ]);
  });
});

describe('writing a duration', () => {
  it.each([
    [0, '0s', '0 秒'],
    [59_999, '59s', '59 秒'],
    [660_000, '11m', '11 分'],
    [7_500_000, '2h 5m', '2 小时 5 分'],
    [3_600_000 * 52 + 61_000, '2d 4h', '2 天 4 小时'],
    [-5, '0s', '0 秒'],
  ])('of %i ms gives %s', (ms, en, zh) => {
    expect(writeDuration(ms, wordsOf('en').duration)).toBe(en);
    expect(writeDuration(ms, wordsOf('zh-CN').duration)).toBe(zh);
  });
});
