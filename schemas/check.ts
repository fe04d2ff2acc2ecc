import Type from 'typebox';
import { Nullable, SentQueries, Simulated, StringEnum } from './common.ts';

/**
 * Answer of an index check. If the URL is not indexed, `match`, `matched_url` and `found_by` are null. `similar_url` is
 * then a URL with the same path and other parameters, if Google shows one.
 */
export const IndexAnswer = Type.Object({
  is_indexed: Type.Boolean({
    description: 'False only after two result pages of Google that do not contain the URL',
  }),
  engine: Type.Literal('google'),
  match: Nullable(StringEnum(['exact', 'variant']), 'Null if not indexed'),
  matched_url: Nullable(
    Type.String(),
    "The URL that Google shows, or the URL of the page in Google's translation or AMP viewer; null if not indexed",
  ),
  found_by: Nullable(StringEnum(['url', 'site']), 'The search that found the URL; null if not indexed'),
  similar_url: Nullable(
    Type.String(),
    'Another URL with the same path, which Google shows instead of the checked URL; null if Google shows none',
  ),
  provider: Type.String({ description: 'The search provider', examples: ['serper'] }),
  asked: SentQueries,
  simulated: Simulated,
});
export type IndexAnswer = Type.Static<typeof IndexAnswer>;
