import Type from 'typebox';
import { Asked, Nullable, Simulated, Word } from './text.ts';

/**
 * What an index check found. `match`, `matched_url` and `found_by` are null exactly when the URL is not
 * indexed; `similar_url` is then the address of the same path with other parameters that Google shows, or
 * null.
 */
export const IndexAnswer = Type.Object({
  is_indexed: Type.Boolean({ description: 'Never false by guess: a no needs two genuine result pages' }),
  engine: Type.Literal('google'),
  match: Nullable(Word(['exact', 'variant']), 'Null when not indexed'),
  matched_url: Nullable(
    Type.String(),
    'The address as Google shows it, or the page that its translation or AMP viewer shows; null when not indexed',
  ),
  found_by: Nullable(Word(['url', 'site']), 'Which search showed it; null when not indexed'),
  similar_url: Nullable(Type.String(), 'Not indexed, but Google shows this address of the same path instead'),
  provider: Type.String({ description: 'Who read Google for us', examples: ['serper'] }),
  asked: Asked,
  simulated: Simulated,
});
export type IndexAnswer = Type.Static<typeof IndexAnswer>;
