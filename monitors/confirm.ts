import * as accounts from '../db/accounts/accounts.ts';
import { findSpender, leftOf } from '../db/ledger/token-spending.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { begin, type Opening } from './begin.ts';
import { prepareChecks } from './checks.ts';
import { skip } from './skip.ts';
import { type Starter, whyNot } from './start-due.ts';

/**
 * Checks once more what a run has seen lost, when the time for it has come. Dropped where the monitor is no longer at
 * it; where it cannot be paid for, the next run decides. Null when there is nothing to confirm any more.
 */
export async function confirm(starter: Starter, ref: runs.RunRef): Promise<runs.RunRow | null> {
  const seen = await runs.find(starter.db, ref);
  const before = seen?.confirmAt ? await monitors.find(starter.db, seen) : null;
  if (!seen || !before || !(await accounts.isOpen(starter.db, ref.accountId))) return null;
  const spender = await findSpender(starter.db, seen.tokenId);
  const checks = await prepareChecks(starter, before, { subjectIds: seen.confirmSubjects, spender });
  return inTransaction(starter.db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, seen);
    const run = await runs.lock(trx, ref);
    if (!monitor || !run?.confirmAt || run.confirmAt > now) return null;
    if (monitor.revision !== before.revision) return null;
    const standing = await accounts.standing(trx, ref.accountId);
    if (!standing.isOpen) return null;
    await runs.update(trx, ref, { confirmAt: null, confirmSubjects: [] });
    if (checks.count === 0) return null;
    const opening: Opening = { kind: 'confirmation', confirms: run.runId, tokenId: run.tokenId };
    const reason = whyNot(checks, { ...standing, left: await leftOf(trx, spender) });
    return reason
      ? skip(trx, starter, monitor, { opening, reason, now })
      : begin(trx, monitor, { opening, checks, now });
  });
}
