import Type from 'typebox';
import {
  CreditsRemaining,
  Nullable,
  RequestId,
  Simulated,
  TargetUrl,
  Timestamp,
  Warnings,
  Word,
} from './text.ts';

/** POST /check (SPEC.md 4.1). */
export const IndexCheckRequest = Type.Object({ url: TargetUrl }, { $id: 'IndexCheckRequest' });
export type IndexCheckRequest = Type.Static<typeof IndexCheckRequest>;

/**
 * What an index check found (DESIGN.md section 4). `match`, `matched_url` and `found_by` are null exactly when the URL is
 * not indexed; `similar_url` is then the address of the same path with other parameters that Google shows, or null.
 */
export const IndexAnswer = Type.Object({
  is_indexed: Type.Boolean({ description: 'Never false by guess: a no needs two genuine result pages' }),
  engine: Type.Literal('google'),
  match: Nullable(Word(['exact', 'variant']), 'Null when not indexed'),
  matched_url: Nullable(Type.String(), 'The address as Google shows it; null when not indexed'),
  found_by: Nullable(Word(['url', 'site']), 'Which search showed it; null when not indexed'),
  similar_url: Nullable(Type.String(), 'Not indexed, but Google shows this address of the same path instead'),
  provider: Type.String({ description: 'Who read Google for us', examples: ['serper'] }),
  simulated: Simulated,
});
export type IndexAnswer = Type.Static<typeof IndexAnswer>;

/** The answer of POST /check (SPEC.md 2.1). */
export const IndexResult = Type.Interface(
  [IndexAnswer],
  {
    success: Type.Literal(true),
    url: Type.String({ description: 'As it was sent' }),
    request_id: RequestId,
    checked_at: Timestamp,
    credits_remaining: CreditsRemaining,
    warnings: Type.Optional(Warnings),
  },
  { $id: 'IndexResult' },
);
export type IndexResult = Type.Static<typeof IndexResult>;
