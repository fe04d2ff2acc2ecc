import Type from 'typebox';
import { ListOf } from './list.ts';
import { BatchId, Nullable, RequestId, Timestamp, Word } from './text.ts';

/** GET /credits (SPEC.md 2.6): exactly this one field. */
export const Credits = Type.Object({ credits: Type.Integer({ minimum: 0 }) }, { $id: 'Credits' });
export type Credits = Type.Static<typeof Credits>;

export const ledgerKinds = ['grant', 'charge', 'refund', 'adjustment'] as const;
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
