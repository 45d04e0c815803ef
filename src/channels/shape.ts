import { z } from 'zod';

/** A text with something in it. */
export const Words = z.string().refine((text) => text.trim() !== '', 'is blank');

/** Reads a value by a schema, or says what is wrong and where: `card.body.elements: …`. */
export function readShape<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { readonly value: z.output<S> } | { readonly problem: string } {
  const read = schema.safeParse(value);
  if (read.success) return { value: read.data };
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).map(String).join('.');
  return { problem: `${path === '' ? '' : `${path}: `}${issue?.message ?? 'unknown shape'}` };
}
