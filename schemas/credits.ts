import Type from 'typebox';
import {
  BatchId,
  Nullable,
  ObjectSchema,
  RequestId,
  StringEnum,
  Timestamp,
  Warnings,
  WebhookUrl,
} from './common.ts';
import { ListSchema } from './list.ts';

/** GET /credits. No field may be added. */
export const Credits = ObjectSchema('Credits', { credits: Type.Integer({ minimum: 0 }) });

/** Kinds of work that cost no credit and count against the allowance, each with a description of one unit. */
export const unbilledWork = {
  upstream_pages: 'A results page that a provider billed, in a check without an answer',
  slot_seconds: 'A second of a check without an answer',
  kept_rows:
    'A stored row that was not charged: an invalid or refunded entry, an entry of a ' +
    "monitor's list, or the record of an action such as creating a token. A row has up to 512 bytes",
  webhook_tests: 'A sample that a webhook test sends',
  deliveries: 'An attempt of a resent delivery, or of a delivery without a charged answer',
  sitemaps: 'A sitemap that was read, or a manual run that the balance does not cover',
} as const;

const Costs = Type.Object(
  Object.fromEntries(
    Object.entries(unbilledWork).map(([kind, description]) => [
      kind,
      Type.Integer({ minimum: 0, description }),
    ]),
  ),
  { description: 'Units that one unbilled operation of each kind uses' },
);

export const AllowanceResponse = ObjectSchema('Allowance', {
  success: Type.Literal(true),
  per_hour: Type.Integer({ minimum: 0, description: 'Units that become available per hour' }),
  used: Type.Integer({
    minimum: 0,
    description: 'Used units. All of them are available again after `used` / `per_hour` hours',
  }),
  remaining: Type.Integer({ minimum: 0, description: 'Units available now' }),
  paid_credits: Type.Integer({
    minimum: 0,
    description:
      'Credits charged for answers in the last 30 days. Each of these credits increases `per_hour`',
  }),
  weights: Costs,
});

/** Maximum threshold that the database accepts. */
const alertThresholdMax = 1_000_000_000_000;

const Threshold = Type.Integer({ minimum: 1, maximum: alertThresholdMax, examples: [500] });

/** PATCH /credits/alert. Missing fields keep their value; null clears them. */
export const CreditAlertRequest = ObjectSchema('CreditAlertRequest', {
  threshold: Type.Optional(Nullable(Threshold, 'Balance below which the alert is sent; null for never')),
  webhook_url: Type.Optional(Nullable(WebhookUrl, 'Null to alert by email only')),
});

export const CreditAlertResponse = ObjectSchema('CreditAlert', {
  success: Type.Literal(true),
  threshold: Nullable(Threshold, 'Balance below which the alert is sent; null for never'),
  webhook_url: Nullable(WebhookUrl, 'Receiver of `credits.low`; null to alert by email only'),
  low_since: Nullable(
    Timestamp,
    'When the balance fell below the threshold; null if the balance is not below the threshold',
  ),
  told_at: Nullable(
    Timestamp,
    'When the alert for `low_since` was enqueued, for webhook and email; null if no alert was enqueued',
  ),
  warnings: Type.Optional(Warnings),
});

/**
 * Sent when the balance falls below the threshold. Sent again each time the balance has risen to the threshold and then
 * falls below the threshold again.
 */
export const CreditsLowPayload = ObjectSchema('CreditsLowPayload', {
  event: Type.Literal('credits.low'),
  credits: Type.Integer({ minimum: 0, description: 'Balance when the alert was enqueued' }),
  threshold: Threshold,
  low_since: Timestamp,
  credits_url: Type.String({ description: 'Credits page of the dashboard' }),
  test: Type.Optional(Type.Literal(true, { description: 'Sample of POST /webhooks/test' })),
});

const ledgerKinds = ['grant', 'charge', 'refund', 'adjustment'] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** A change of the balance. `entry_no` numbers the entries of an account without gaps. */
export const LedgerEntry = ObjectSchema('LedgerEntry', {
  entry_no: Type.Integer({ minimum: 1 }),
  kind: StringEnum(ledgerKinds),
  amount: Type.Integer({ description: 'Negative for a charge' }),
  balance_after: Type.Integer({ minimum: 0 }),
  batch_id: Nullable(BatchId, 'Null if the entry does not belong to a batch'),
  request_id: Nullable(RequestId, 'Null if the entry does not belong to a single check'),
  note: Nullable(Type.String(), 'Note of the operator'),
  created_at: Timestamp,
});
export type LedgerEntry = Type.Static<typeof LedgerEntry>;

export const LedgerList = ListSchema(LedgerEntry, 'LedgerList');
