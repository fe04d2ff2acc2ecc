import Type from 'typebox';
import {
  batchSizeMax,
  Dedupe,
  languagePattern,
  Nullable,
  ObjectSchema,
  OnInvalid,
  Reference,
  SentQueries,
  Simulated,
  StringEnum,
  SubmissionId,
  textPattern,
  twoLetters,
  WebhookUrl,
} from './common.ts';
import { AiOverview, Feature, featureTypes, includable } from './features.ts';

const Match = StringEnum(['site', 'host', 'page', 'prefix'], {
  description:
    'Results that match. `site`: the site with its subdomains. `host`: only this host. `page`: only this page. ' +
    '`prefix`: this path and all paths below it. ' +
    'Default: `site` for a host, `page` for a URL with a path or query. ' +
    'A website on a public suffix, such as `www.gov.uk`, has no subdomains',
});

const competitorsMax = 10;

/** City to search from. */
export const LocationText = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'City to search from, as in `GET /locations`. The default of `country` is then the country of the city. For an ' +
    'unknown or ambiguous name, the response is a 422 with `candidates`',
  examples: ['Austin, Texas, United States'],
});

/** A search query and the target to find among its results. */
export const KeywordQuery = ObjectSchema('KeywordQuery', {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: textPattern,
    description: 'A site such as `example.com`, or a URL',
    examples: ['example.com'],
  }),
  keyword: Type.String({ minLength: 1, maxLength: 512, examples: ['running shoes'] }),
  country: Type.Optional(
    Type.String({
      pattern: twoLetters,
      default: 'US',
      description: 'ISO 3166-1 alpha-2 code that Google supports; UK means GB',
    }),
  ),
  language: Type.Optional(
    Type.String({
      pattern: languagePattern,
      default: 'en',
      description:
        'ISO 639-1, or one of en-AU, en-GB, es-419, fr-CA, pt-BR, pt-PT, zh-CN, zh-HK, zh-TW. zh means zh-CN',
    }),
  ),
  location: Type.Optional(LocationText),
  start_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
  end_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description:
        'Must be `start_page` or more. Default: 10, or 2 with `full`. A monitor reads a query with competitors as with ' +
        '`full`. The default for such a query is 10, or less if the service limits the number of pages',
    }),
  ),
  device: Type.Optional(
    StringEnum(['desktop', 'mobile'], {
      default: 'desktop',
      description: 'Device of the search. `brd_mobile` has the same meaning',
    }),
  ),
  brd_mobile: Type.Optional(Type.Boolean({ default: false, description: 'true: mobile results' })),
  competitors: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2048, pattern: textPattern }), {
      maxItems: competitorsMax,
      description: 'Other targets to find on the same pages, in the format of `url`. They cost nothing extra',
      examples: [['competitor.example']],
    }),
  ),
  include: Type.Optional(
    Type.Array(StringEnum(includable), {
      maxItems: includable.length,
      uniqueItems: true,
      description:
        '`results`: the organic results on the pages read, at most 100. They are stored for up to 30 days. ' +
        '`features`: the blocks of the first page. ' +
        '`ai_overview`: the AI Overview. The query then costs 2 credits. 1 credit is refunded if Google shows no AI ' +
        'Overview, or if its sources cannot be read. For evidence, use the query parameter `?include=evidence`',
    }),
  ),
  full: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'After a match, continue to `end_page`. If `end_page` is omitted, continue to page 2',
    }),
  ),
  match: Type.Optional(Match),
  tag: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: textPattern,
      description: 'Your own label for the query',
    }),
  ),
});
export type KeywordQuery = Type.Static<typeof KeywordQuery>;

/** POST /keyword-track. One query is answered directly. Several queries become a batch. */
export const KeywordRequest = ObjectSchema('KeywordRequest', {
  queries: Type.Array(KeywordQuery, { minItems: 1, maxItems: batchSizeMax }),
  webhook_url: Type.Optional(WebhookUrl),
  reference: Type.Optional(Reference),
  submission_id: Type.Optional(SubmissionId),
  dedupe: Type.Optional(Dedupe),
  on_invalid: Type.Optional(OnInvalid),
});
export type KeywordRequest = Type.Static<typeof KeywordRequest>;

/** The query in an answer, with defaults filled in. */
export const RankQuery = Type.Object({
  keyword: Type.String(),
  target_url: Type.String(),
  country: Type.String(),
  language: Type.String(),
  location: Type.Optional(Type.String({ description: 'City of the search; missing for the whole country' })),
  device: StringEnum(['desktop', 'mobile']),
  start_page: Type.Integer(),
  end_page: Type.Integer(),
  match: Match,
  tag: Nullable(Type.String()),
  competitor_urls: Type.Optional(Type.Array(Type.String(), { description: 'Competitors as sent' })),
  full: Type.Optional(Type.Literal(true, { description: 'After a match, continue to `end_page`' })),
  include: Type.Optional(Type.Array(StringEnum(includable))),
});
export type RankQuery = Type.Static<typeof RankQuery>;

/** The query in a failed item. Fields that could not be read are null or missing. */
export const QueryInput = Type.Object({
  keyword: Nullable(Type.String()),
  target_url: Nullable(Type.String()),
  country: Nullable(Type.String()),
  language: Nullable(Type.String()),
  location: RankQuery.properties.location,
  device: Type.Optional(RankQuery.properties.device),
  start_page: Type.Optional(Type.Integer()),
  end_page: Type.Optional(Type.Integer()),
  match: Type.Optional(Match),
  tag: Nullable(Type.String()),
  competitor_urls: RankQuery.properties.competitor_urls,
  full: RankQuery.properties.full,
  include: RankQuery.properties.include,
});

/** Rank of a competitor. `rank` and `ranked_url` are null if the competitor is not on the pages that were read. */
const CompetitorRank = Type.Object({
  url: Type.String({ description: 'As sent' }),
  rank: Nullable(Type.Integer({ minimum: 1 })),
  ranked_url: Nullable(Type.String()),
  cited: Type.Optional(
    Nullable(
      Type.Boolean(),
      'Whether the AI Overview cites the competitor; null if the sources of the AI Overview were not read. Only if the query includes `ai_overview`',
    ),
  ),
});

/** A result on the pages that were read. `position` is counted like `rank`. */
export const FoundResult = ObjectSchema('FoundResult', {
  position: Type.Integer({ minimum: 1 }),
  url: Type.String(),
  title: Type.String(),
  page: Nullable(Type.Integer({ minimum: 1 }), 'Null if the provider does not report it'),
});
export type FoundResult = Type.Static<typeof FoundResult>;

/**
 * Answer of a rank check. `rank`, `ranked_url`, `page` and `position_on_page` are null if the target was not found.
 * `page` and `position_on_page` are also null if the provider does not report where pages end.
 */
export const RankAnswer = Type.Object({
  found: Type.Boolean(),
  rank: Nullable(
    Type.Integer({ minimum: 1 }),
    'Position among the organic results, from the top of page 1; null if `found` is false',
  ),
  ranked_url: Nullable(Type.String(), 'The result that matched; null if `found` is false'),
  page: Nullable(Type.Integer({ minimum: 1 })),
  position_on_page: Nullable(Type.Integer({ minimum: 1 })),
  pages_searched: Type.Integer({ minimum: 1 }),
  featured_snippet_url: Nullable(Type.String()),
  provider: Type.String({ description: 'The search provider', examples: ['serper'] }),
  competitors: Type.Optional(
    Type.Array(CompetitorRank, {
      description: 'In the order of the query. Only if the query has competitors',
    }),
  ),
  features: Type.Optional(
    Type.Array(Feature, {
      description: 'Blocks of the first page, one per type; only if the query has `include: ["features"]`',
    }),
  ),
  features_visible: Type.Optional(
    Type.Array(StringEnum(featureTypes), {
      description: 'Types that the provider reports. Other types may be on the page too',
    }),
  ),
  ai_overview: Type.Optional(AiOverview),
  asked: SentQueries,
  results: Type.Optional(
    Type.Array(FoundResult, {
      description: 'Only if the query has `include: ["results"]` and the request has `?include=results`',
    }),
  ),
  simulated: Simulated,
});
export type RankAnswer = Type.Static<typeof RankAnswer>;
