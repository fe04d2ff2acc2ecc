import Type from 'typebox';
import { Nullable, SentQueries, Simulated, StringEnum } from './common.ts';

/**
 * Answer of an index check. `match`, `matched_url` and `found_by` are null exactly when the URL is not indexed. In this
 * case `similar_url` may be a URL that Google shows, with the same path and other parameters.
 */
export const IndexAnswer = Type.Object({
  is_indexed: Type.Boolean({ description: 'False only after two genuine result pages' }),
  engine: Type.Literal('google'),
  match: Nullable(StringEnum(['exact', 'variant']), 'Null when not indexed'),
  matched_url: Nullable(
    Type.String(),
    "The URL as Google shows it, or the URL of the page in Google's translation or AMP viewer; null when not indexed",
  ),
  found_by: Nullable(StringEnum(['url', 'site']), 'The search that found it; null when not indexed'),
  similar_url: Nullable(
    Type.String(),
    'Another URL with the same path, which Google shows instead; null if there is none',
  ),
  provider: Type.String({ description: 'The search provider', examples: ['serper'] }),
  asked: SentQueries,
  simulated: Simulated,
});
export type IndexAnswer = Type.Static<typeof IndexAnswer>;
