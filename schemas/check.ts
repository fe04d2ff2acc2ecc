import Type from 'typebox';
import { Nullable, TargetUrl, Timestamp, Warnings, Word } from './text.ts';

/** POST /check (SPEC.md 4.1). */
export const IndexCheckRequest = Type.Object({ url: TargetUrl }, { $id: 'IndexCheckRequest' });
export type IndexCheckRequest = Type.Static<typeof IndexCheckRequest>;

/**
 * What an index check found (DESIGN.md section 4). `match`, `matched_url` and `found_by` are null exactly when the URL is
 * not indexed; `similar_url` is then the address of the same path with other parameters that Google shows, or null.
 */
export const IndexAnswer = Type.Object({
  is_indexed: Type.Boolean(),
  engine: Type.Literal('google'),
  match: Nullable(Word(['exact', 'variant'])),
  matched_url: Nullable(Type.String()),
  found_by: Nullable(Word(['url', 'site'])),
  similar_url: Nullable(Type.String({ description: 'Google shows this one instead' })),
  provider: Type.String(),
  simulated: Type.Optional(Type.Literal(true, { description: 'Invented by the sandbox' })),
});
export type IndexAnswer = Type.Static<typeof IndexAnswer>;

/** The answer of POST /check (SPEC.md 2.1). */
export const IndexResult = Type.Interface(
  [IndexAnswer],
  {
    success: Type.Literal(true),
    url: Type.String({ description: 'As it was sent' }),
    request_id: Type.Integer(),
    checked_at: Timestamp,
    credits_remaining: Type.Integer({ minimum: 0 }),
    warnings: Type.Optional(Warnings),
  },
  { $id: 'IndexResult' },
);
export type IndexResult = Type.Static<typeof IndexResult>;
