import Type from 'typebox';
import { Dedupe, Nullable, OnInvalid, Reference, Timestamp, textPattern, WebhookUrl, Word } from './text.ts';

/** One search whose results are looked through for a target (SPEC.md 2.4). */
export const KeywordQuery = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2048, pattern: textPattern, examples: ['example.com'] }),
    keyword: Type.String({ minLength: 1, maxLength: 512, examples: ['running shoes'] }),
    country: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', default: 'US' })),
    language: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', default: 'en' })),
    start_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
    end_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 10 })),
    brd_mobile: Type.Optional(Type.Boolean({ default: false })),
    match: Type.Optional(Word(['site', 'host', 'page', 'prefix'])),
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

/** POST /keyword-track (SPEC.md 4.5): one query is answered at once, two or more are queued. */
export const KeywordRequest = Type.Object(
  {
    queries: Type.Array(KeywordQuery, { minItems: 1, maxItems: 2000 }),
    webhook_url: Type.Optional(WebhookUrl),
    reference: Type.Optional(Reference),
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
  match: Word(['site', 'host', 'page', 'prefix']),
  tag: Nullable(Type.String()),
});
export type RankQuery = Type.Static<typeof RankQuery>;

/** What a rank check found (DESIGN.md section 4): `rank`, `ranked_url`, `page`, `position_on_page` are null unless found. */
export const RankAnswer = Type.Object({
  found: Type.Boolean(),
  rank: Nullable(Type.Integer({ minimum: 1 })),
  ranked_url: Nullable(Type.String()),
  page: Nullable(Type.Integer({ minimum: 1 })),
  position_on_page: Nullable(Type.Integer({ minimum: 1 })),
  pages_searched: Type.Integer({ minimum: 1 }),
  featured_snippet_url: Nullable(Type.String()),
  provider: Type.String(),
  simulated: Type.Optional(Type.Literal(true, { description: 'Invented by the sandbox' })),
});
export type RankAnswer = Type.Static<typeof RankAnswer>;

/** The answer to a request with one query (SPEC.md 2.3). */
export const RankResult = Type.Interface(
  [RankQuery, RankAnswer],
  {
    success: Type.Literal(true),
    request_id: Type.Integer(),
    checked_at: Timestamp,
    credits_remaining: Type.Integer({ minimum: 0 }),
  },
  { $id: 'RankResult' },
);
export type RankResult = Type.Static<typeof RankResult>;
