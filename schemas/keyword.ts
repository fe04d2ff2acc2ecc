import Type from 'typebox';
import { Reference, WebhookUrl } from './text.ts';

/** One search whose results are looked through for a target (SPEC.md 2.4). */
export const KeywordQuery = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2048, examples: ['example.com'] }),
    keyword: Type.String({ minLength: 1, maxLength: 512, examples: ['running shoes'] }),
    country: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', default: 'US' })),
    language: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', default: 'en' })),
    start_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
    end_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 10 })),
    brd_mobile: Type.Optional(Type.Boolean({ default: false })),
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
  },
  { $id: 'KeywordRequest' },
);
export type KeywordRequest = Type.Static<typeof KeywordRequest>;
