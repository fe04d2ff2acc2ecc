import type { PgBoss } from 'pg-boss';
import * as chunkOrphans from '../batches/orphans.ts';
import { refill } from '../batches/record.ts';
import * as singleCheck from '../batches/single-check.ts';
import * as orphans from '../db/batches/orphans.ts';
import * as singleChecks from '../db/batches/single-checks.ts';
import { findOrphanedMails } from '../db/notifications/mails.ts';
import { type Db, inTransaction } from '../db/postgres/connect.ts';
import { findStarved } from '../db/queue/windows.ts';
import * as mailOrphans from '../mail/orphans.ts';
import * as deliveryOrphans from '../webhooks/orphans.ts';

/** What the sweep of orphans found and put right; all 0 in a quiet system. */
export interface Swept {
  singleChecksRefunded: number;
  chunksReenqueued: number;
  itemsAbandoned: number;
  /** Chunks that waited although their account had fewer jobs than it should. */
  chunksEnqueued: number;
  deliveriesReenqueued: number;
  mailsReenqueued: number;
}

const orphansMax = 500;
const windowsMax = 500;

/**
 * Puts right what dead processes left behind. An orphan that cannot be put right is reported and
 * stops none of the others.
 */
export async function sweepOrphans(db: Db, boss: PgBoss, failed: (error: unknown) => void): Promise<Swept> {
  const swept: Swept = {
    singleChecksRefunded: 0,
    chunksReenqueued: 0,
    itemsAbandoned: 0,
    chunksEnqueued: 0,
    deliveriesReenqueued: 0,
    mailsReenqueued: 0,
  };
  const each = async <T>(found: T[], putRight: (orphan: T) => Promise<void>) => {
    for (const orphan of found) await putRight(orphan).catch(failed);
  };
  await each(await singleChecks.findOrphans(db, orphansMax), async (check) => {
    const isSettled = await inTransaction(db, (trx) => singleCheck.giveBack(trx, check, 'checker_failed'));
    if (isSettled) swept.singleChecksRefunded += 1;
  });
  await each(await orphans.findChunks(db, orphansMax), async (orphan) => {
    if (orphan.isOutOfRetries) {
      swept.itemsAbandoned += await inTransaction(db, (trx) => chunkOrphans.abandon(trx, boss, orphan));
    } else if (await inTransaction(db, (trx) => chunkOrphans.reenqueue(trx, boss, orphan))) {
      swept.chunksReenqueued += 1;
    }
  });
  await each(await findStarved(db, windowsMax), async (window) => {
    swept.chunksEnqueued += await inTransaction(db, (trx) => refill(trx, boss, window));
  });
  await each(await orphans.findDeliveries(db, orphansMax), async (orphan) => {
    if (await inTransaction(db, (trx) => deliveryOrphans.reenqueue(trx, boss, orphan)))
      swept.deliveriesReenqueued += 1;
  });
  await each(await findOrphanedMails(db, orphansMax), async (orphan) => {
    if (await inTransaction(db, (trx) => mailOrphans.reenqueue(trx, boss, orphan)))
      swept.mailsReenqueued += 1;
  });
  return swept;
}
