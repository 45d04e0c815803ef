import { AlertcardError } from '../domain/errors.ts';

/** Where in a template file something is wrong. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A template that does not compile: says the place and shows the line. */
export class TemplateError extends AlertcardError {
  readonly place: Place;
  readonly excerpt: string;

  constructor(problem: string, place: Place, source: string) {
    const excerpt = (source.split('\n')[place.line - 1] ?? '').trimEnd();
    const caret = `${' '.repeat(Math.max(place.column - 1, 0))}^`;
    super(
      'template_invalid',
      `${place.file}:${place.line}:${place.column}: ${problem}\n  ${excerpt}\n  ${caret}`,
    );
    this.name = 'TemplateError';
    this.place = place;
    this.excerpt = excerpt;
  }
}
