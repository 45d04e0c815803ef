import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/domain/events.ts';
import { combine } from '../../src/observe/emit.ts';
import { EVENTS } from './support.ts';

describe('combine', () => {
  it('tells every observer in turn', () => {
    const seen: string[] = [];
    const emit = combine([({ kind }) => seen.push(`a ${kind}`), ({ kind }) => seen.push(`b ${kind}`)], () => {
      seen.push('fault');
    });

    emit(EVENTS.committed);

    expect(seen).toEqual(['a committed', 'b committed']);
  });

  it('keeps what an observer throws away from the caller and the others', () => {
    const seen: Event[] = [];
    const faults: unknown[] = [];
    const fault = new Error('disk of the log is full');
    const emit = combine(
      [
        () => {
          throw fault;
        },
        (event) => void seen.push(event),
      ],
      (error, event) => void faults.push(error, event.kind),
    );

    emit(EVENTS.died);

    expect(seen).toEqual([EVENTS.died]);
    expect(faults).toEqual([fault, 'died']);
  });

  it('survives a fault handler that throws too', () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    const emit = combine([broken], broken);

    expect(() => {
      emit(EVENTS.died);
    }).not.toThrow();
  });
});
