import Type from 'typebox';
import { ListOf } from './list.ts';
import { BatchId, Nullable, RequestId, Timestamp, Warnings, WebhookUrl, Word } from './text.ts';

/** GET /credits: exactly this one field, as it is documented. */
export const Credits = Type.Object({ credits: Type.Integer({ minimum: 0 }) }, { $id: 'Credits' });
export type Credits = Type.Static<typeof Credits>;

/** Work that costs the service something and the caller no credit: one of each kind, for people. */
export const unbilledWork = {
  upstream_pages: 'A page that a provider was paid for, without an answer',
  slot_seconds: 'A second of a check without an answer',
  kept_rows:
    'A row kept uncharged, or each 512 bytes begun of it: of an entry that does not fit or is refunded, of the list of a monitor, or ' +
    'of an act such as a token made',
  webhook_tests: 'A webhook test, per sample',
  deliveries: 'A delivery sent again, or owed by a batch that ended without an answer',
  sitemaps: 'A sitemap read, or a run by hand that the credits do not cover',
} as const;

const Weights = Type.Object(
  Object.fromEntries(
    Object.entries(unbilledWork).map(([kind, description]) => [
      kind,
      Type.Integer({ minimum: 0, description }),
    ]),
  ),
  { description: 'Units of each kind of unbilled work' },
);

/** GET /credits/allowance: what may be caused without a credit, in units. */
export const AllowanceShown = Type.Object(
  {
    success: Type.Literal(true),
    per_hour: Type.Integer({ minimum: 0, description: 'Units that may be caused in an hour' }),
    used: Type.Integer({
      minimum: 0,
      description: 'Units used and not worked off yet; 0 again after `used` / `per_hour` hours',
    }),
    remaining: Type.Integer({ minimum: 0, description: 'What may be caused right now' }),
    paid_credits: Type.Integer({
      minimum: 0,
      description: 'Credits paid for answers in the last 30 days; each adds to `per_hour`',
    }),
    weights: Weights,
  },
  { $id: 'Allowance' },
);

/** Below which balance an account may be told; the table holds no other. */
const alertThresholdMax = 1_000_000_000_000;

const Threshold = Type.Integer({ minimum: 1, maximum: alertThresholdMax, examples: [500] });

/** PATCH /credits/alert: what is not given stays, null clears it. */
export const CreditAlertRequest = Type.Object(
  {
    threshold: Type.Optional(Nullable(Threshold, 'Told below this balance; null for never')),
    webhook_url: Type.Optional(Nullable(WebhookUrl, 'Null for nowhere but by mail')),
  },
  { $id: 'CreditAlertRequest' },
);

/** GET and PATCH /credits/alert. */
export const CreditAlertShown = Type.Object(
  {
    success: Type.Literal(true),
    threshold: Nullable(Threshold, 'Told below this balance; null for never'),
    webhook_url: Nullable(WebhookUrl, 'Where `credits.low` is sent; null for nowhere but by mail'),
    low_since: Nullable(Timestamp, 'Since when the balance is below; null while it is not'),
    told_at: Nullable(
      Timestamp,
      'When word of it was put on its way, by webhook and mail; null until then, and once the balance has risen',
    ),
    warnings: Type.Optional(Warnings),
  },
  { $id: 'CreditAlert' },
);

/** What a receiver is sent when the balance has fallen below the threshold, once until it has risen again. */
export const CreditsLowPayload = Type.Object(
  {
    event: Type.Literal('credits.low'),
    credits: Type.Integer({ minimum: 0, description: 'The balance when it was told' }),
    threshold: Threshold,
    low_since: Timestamp,
    credits_url: Type.String({ description: 'The page of the credits' }),
  },
  { $id: 'CreditsLowPayload' },
);

const ledgerKinds = ['grant', 'charge', 'refund', 'adjustment'] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** One movement of credits, with the balance after it; entries of an account are numbered without gaps. */
export const LedgerEntry = Type.Object(
  {
    entry_no: Type.Integer({ minimum: 1 }),
    kind: Word(ledgerKinds),
    amount: Type.Integer({ description: 'Negative for a charge' }),
    balance_after: Type.Integer({ minimum: 0 }),
    batch_id: Nullable(BatchId, 'Null unless it belongs to a batch'),
    request_id: Nullable(RequestId, 'Null unless it belongs to a single check'),
    note: Nullable(Type.String(), 'What the operator wrote'),
    created_at: Timestamp,
  },
  { $id: 'LedgerEntry' },
);
export type LedgerEntry = Type.Static<typeof LedgerEntry>;

/** GET /credits/ledger. */
export const LedgerList = ListOf(LedgerEntry, 'LedgerList');
