import { describe, expect, it } from 'vitest';
import type { SandboxCard } from '../../src/commands/context.ts';
import { showCard } from '../../src/commands/show-card.ts';

function card(changes: Partial<SandboxCard>): SandboxCard {
  return { provider: 'dingtalk', channel: 'ops', title: 'Disk full', body: 'text', buttons: [], ...changes };
}

describe('a card in the terminal', () => {
  it('stands under provider and channel, its buttons below with where they lead', () => {
    const buttons = [{ text: 'Panel', url: 'https://grafana.example.com/d/1' }];

    const shown = showCard(card({ body: 'db-1 is at 97%', buttons }));

    expect(shown.split('\n').slice(1)).toEqual([
      '  Disk full',
      '',
      '  db-1 is at 97%',
      '',
      '  [ Panel ]  https://grafana.example.com/d/1',
      '',
      '',
    ]);
    expect(shown).toMatch(/^── dingtalk · ops ─+\n/);
  });

  it.each([
    ['### A heading', 'A heading'],
    ['**bold** and **bold**', 'bold and bold'],
    ['\\[FIRING:1\\] up\\_time', '[FIRING:1] up_time'],
    ['a &#42;star&#42;', 'a *star*'],
    [
      '- [Panel](https://a.example/d?x=%29&y=1) · [Silence](https://a.example/s)',
      '- [ Panel ] · [ Silence ]',
    ],
  ])('reads %s as %s', (body, expected) => {
    const shown = showCard(card({ body }));

    expect(shown).toContain(`\n  ${expected}\n`);
  });

  it('reads an escaped bracket and a link after it as what they are', () => {
    const shown = showCard(card({ body: '\\[FIRING:1\\] Disk\n\n- [Panel](https://a.example/d)' }));

    expect(shown).toContain('\n  [FIRING:1] Disk\n\n  - [ Panel ]\n');
  });

  it('tells a title once where the body repeats it', () => {
    const shown = showCard(card({ title: '[FIRING:1] Disk', body: '### \\[FIRING:1\\] Disk\n\ndb-1' }));

    expect(shown.match(/FIRING/g)).toHaveLength(1);
    expect(shown).toContain('  [FIRING:1] Disk\n\n  db-1\n');
  });
});
