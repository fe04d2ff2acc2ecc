import type { Allowance, UnpaidWork } from '../accounts/allowance.ts';
import { givenBack, keptRows, sumOf } from '../accounts/unpaid.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as items from '../db/batches/items.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Db } from '../db/postgres/connect.ts';
import { record, type Till } from './record.ts';
import { noBatch } from './refusals.ts';

/** Dependencies of canceling. */
export interface Canceler extends Till {
  db: Db;
  allowance: Pick<Allowance, 'spend' | 'takeLast'>;
}

/**
 * Fails everything of a batch that has no outcome yet, with refunds, and so ends it; one that had ended
 * before is left as it is. Answers the batch as it is then. Refused when the account has no such batch, and
 * when nothing is left of its allowance.
 */
export function cancel(canceler: Canceler, ref: batches.BatchRef): Act<batches.BatchRow> {
  const { db, allowance } = canceler;
  let taken: UnpaidWork = {};
  return {
    before: async () => {
      const batch = await batches.find(db, ref);
      if (!batch || batch.completedAt) return;
      taken = unpaidBy(batch, await chunks.unsettled(db, batch));
      await allowance.takeLast(ref.accountId, taken);
    },
    perform: async (trx) => {
      const batch = await batches.lock(trx, ref);
      if (!batch) throw noBatch();
      if (batch.completedAt) {
        await allowance.spend(ref.accountId, givenBack(taken), trx);
        return batch;
      }
      const open = await chunks.unsettled(trx, batch);
      const canceled = open.map((input) => items.failedItem(input, 'canceled'));
      // Some may have been answered or put back between the look and the lock.
      const unpaid = sumOf([unpaidBy(batch, open), givenBack(taken)]);
      await record(trx, canceler, ref, canceled, { canceled: unpaid });
      return (await batches.find(trx, ref)) ?? batch;
    },
  };
}

/** Unbilled work of a canceled batch: its rows, its attempts and its webhook. */
function unpaidBy(
  { options, webhookUrl, successful, isTest }: batches.BatchRow,
  open: chunks.OpenInput[],
): UnpaidWork {
  // All that is kept of a test, and its call, was counted when it was accepted.
  if (isTest) return {};
  return {
    keptRows: keptRows([options, ...open.map(({ input }) => input)]),
    deliveries: webhookUrl && successful === 0 ? 1 : 0,
    ...costBefore(open),
  };
}

/** The cost of a check that still runs is counted by its worker. */
function costBefore(open: chunks.OpenInput[]): UnpaidWork {
  return sumOf(
    open.map(({ before: { pages = 0, seconds = 0 } }) => ({ upstreamPages: pages, slotSeconds: seconds })),
  );
}
