import Type from 'typebox';
import {
  Asked,
  batchSizeMax,
  Dedupe,
  Nullable,
  OnInvalid,
  Reference,
  Simulated,
  SubmissionId,
  textPattern,
  twoLetters,
  WebhookUrl,
  Word,
} from './text.ts';

/** What counts as the target: a site with its subdomains, one host, one page, or a path and all below it. */
const Match = Word(['site', 'host', 'page', 'prefix'], {
  description:
    'What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. ' +
    'By default `site` for a bare host, `page` for anything longer. ' +
    'A website on a public suffix, such as `www.gov.uk`, has no subdomains',
});

/** The most others that one query may look for. */
const competitorsMax = 10;

/** One search whose results are looked through for a target. */
export const KeywordQuery = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      pattern: textPattern,
      description: 'A site such as `example.com`, or an address on one',
      examples: ['example.com'],
    }),
    keyword: Type.String({ minLength: 1, maxLength: 512, examples: ['running shoes'] }),
    country: Type.Optional(
      Type.String({
        pattern: twoLetters,
        default: 'US',
        description: 'One that Google knows; UK is read as GB',
      }),
    ),
    language: Type.Optional(Type.String({ pattern: twoLetters, default: 'en', description: 'ISO 639-1' })),
    start_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
    end_page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description: '`start_page` or more; if not given 10, or 2 with `full`',
      }),
    ),
    device: Type.Optional(
      Word(['desktop', 'mobile'], {
        default: 'desktop',
        description: 'Whose results; the same as `brd_mobile`',
      }),
    ),
    brd_mobile: Type.Optional(Type.Boolean({ default: false, description: 'true: results on a phone' })),
    competitors: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2048, pattern: textPattern }), {
        maxItems: competitorsMax,
        description: 'Others to look for on the same pages, each like `url`; at the same price',
        examples: [['competitor.example']],
      }),
    ),
    include: Type.Optional(
      Type.Array(Word(['results']), {
        maxItems: 1,
        description:
          '`results`: every organic result on the pages read, 100 at most; kept for 30 days, never longer than the item itself. ' +
          'Evidence is asked for in the address: `?include=evidence`',
      }),
    ),
    full: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Read on to `end_page` after the match; without `end_page` to page 2 only',
      }),
    ),
    match: Type.Optional(Match),
    tag: Type.Optional(
      Type.String({
        maxLength: 255,
        pattern: textPattern,
        description: "The caller's own name for the query",
      }),
    ),
  },
  { $id: 'KeywordQuery' },
);
export type KeywordQuery = Type.Static<typeof KeywordQuery>;

/** POST /keyword-track: one query is answered at once, two or more are queued. */
export const KeywordRequest = Type.Object(
  {
    queries: Type.Array(KeywordQuery, { minItems: 1, maxItems: batchSizeMax }),
    webhook_url: Type.Optional(WebhookUrl),
    reference: Type.Optional(Reference),
    submission_id: Type.Optional(SubmissionId),
    dedupe: Type.Optional(Dedupe),
    on_invalid: Type.Optional(OnInvalid),
  },
  { $id: 'KeywordRequest' },
);
export type KeywordRequest = Type.Static<typeof KeywordRequest>;

/** What was asked, as the answer repeats it: `target_url` as sent, the rest with defaults filled in. */
export const RankQuery = Type.Object({
  keyword: Type.String(),
  target_url: Type.String(),
  country: Type.String(),
  language: Type.String(),
  device: Word(['desktop', 'mobile']),
  start_page: Type.Integer(),
  end_page: Type.Integer(),
  match: Match,
  tag: Nullable(Type.String()),
  competitor_urls: Type.Optional(Type.Array(Type.String(), { description: 'Who else was looked for' })),
  full: Type.Optional(Type.Literal(true, { description: 'Read on to `end_page` after the match' })),
  include: Type.Optional(Type.Array(Word(['results']))),
});
export type RankQuery = Type.Static<typeof RankQuery>;

/** A query repeated where no answer came: one that did not fit is repeated as far as it could be read. */
export const AskedQuery = Type.Object({
  keyword: Nullable(Type.String()),
  target_url: Nullable(Type.String()),
  country: Nullable(Type.String()),
  language: Nullable(Type.String()),
  device: Type.Optional(RankQuery.properties.device),
  start_page: Type.Optional(Type.Integer()),
  end_page: Type.Optional(Type.Integer()),
  match: Type.Optional(Match),
  tag: Nullable(Type.String()),
  competitor_urls: RankQuery.properties.competitor_urls,
  full: RankQuery.properties.full,
  include: RankQuery.properties.include,
});

/** A competitor on the pages that were read; both null when it was not seen on them. */
const CompetitorRank = Type.Object({
  url: Type.String({ description: 'As it was sent' }),
  rank: Nullable(Type.Integer({ minimum: 1 })),
  ranked_url: Nullable(Type.String()),
});

/** A result on the pages that were read. `position` counts as `rank` does. */
export const FoundResult = Type.Object(
  {
    position: Type.Integer({ minimum: 1 }),
    url: Type.String(),
    title: Type.String(),
    page: Nullable(Type.Integer({ minimum: 1 }), 'Null where the provider does not say it'),
  },
  { $id: 'FoundResult' },
);
export type FoundResult = Type.Static<typeof FoundResult>;

/**
 * What a rank check found: `rank`, `ranked_url`, `page`, `position_on_page` are null unless found; the last
 * two also where the provider does not say where its pages end.
 */
export const RankAnswer = Type.Object({
  found: Type.Boolean(),
  rank: Nullable(
    Type.Integer({ minimum: 1 }),
    'Place among the organic results, from the top of page 1; null exactly when `found` is false',
  ),
  ranked_url: Nullable(Type.String(), 'The result that matched; null exactly when `found` is false'),
  page: Nullable(Type.Integer({ minimum: 1 })),
  position_on_page: Nullable(Type.Integer({ minimum: 1 })),
  pages_searched: Type.Integer({ minimum: 1 }),
  featured_snippet_url: Nullable(Type.String()),
  provider: Type.String({ description: 'Who read Google for us', examples: ['serper'] }),
  competitors: Type.Optional(
    Type.Array(CompetitorRank, { description: 'In the order of the query; there when it named some' }),
  ),
  asked: Asked,
  results: Type.Optional(
    Type.Array(FoundResult, {
      description: 'With `include: ["results"]` in the query, where it is asked for',
    }),
  ),
  simulated: Simulated,
});
export type RankAnswer = Type.Static<typeof RankAnswer>;
