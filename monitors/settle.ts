import * as batches from '../db/batches/batches.ts';
import * as items from '../db/batches/items.ts';
import * as changes from '../db/monitors/changes.ts';
import * as historyPasses from '../db/monitors/history-passes.ts';
import * as runTallies from '../db/monitors/run-tallies.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { changeBody } from '../wire/changes.ts';
import { TallySheet } from './changes/tally.ts';
import { settleItems } from './settle-items.ts';
import type { Settled, SettledMonitor, SettledRun, Settling, ToldChange } from './settled.ts';

const itemsPerStep = 500;
const inlineMax = 100;

/**
 * Says what a run changed, and remembers it: changes, baselines, points, and what it counted. The transaction holds the
 * monitor and the run, and does this once for each of them; items are read in steps, so that a run of 10,000 subjects
 * takes no more memory than one of 500. Source: docs/monitors.md.
 */
export async function settle(trx: Trx, monitor: SettledMonitor, run: SettledRun): Promise<Settled> {
  const toldAt = await clock(trx);
  const kept = run.confirms ? await runTallies.find(trx, monitor, run.confirms) : null;
  const sheet = new TallySheet(kept);
  const context = { monitor, run, sheet, at: run.startedAt ?? toldAt, comparedAt: kept?.at, toldAt };
  const told: ToldChange[] = [];
  const settled: Pick<Settled, 'losses' | 'indexed'> = { losses: [], indexed: [] };
  for (const batchId of run.batchIds) {
    const batch = await batches.find(trx, { accountId: monitor.accountId, batchId });
    if (!batch) continue;
    let afterPosition = -1;
    for (;;) {
      const step = await items.page(trx, batch, { afterPosition, limit: itemsPerStep });
      const last = step.at(-1);
      if (!last) break;
      afterPosition = last.position ?? afterPosition;
      const one = await settleItems(trx, step, context);
      told.push(...one.told);
      settled.losses.push(...one.losses);
      settled.indexed.push(...one.indexed);
    }
  }
  if (!run.confirms) told.push(...(await tellSitemap(trx, monitor, run, toldAt)));
  await keepTallies(trx, context, told);
  await historyPasses.begin(trx, monitor);
  return { ...settled, ...summaryOf(told) };
}

/** Addresses that joined or left with the run. One that came back with another answer is told of by that alone. */
async function tellSitemap(
  trx: Trx,
  monitor: SettledMonitor,
  { runId }: SettledRun,
  at: Date,
): Promise<ToldChange[]> {
  const moved = await subjects.movedBy(trx, monitor, runId);
  const inputs = new Map(moved.map(({ subjectId, input }) => [subjectId, input]));
  const told = await changes.add(
    trx,
    monitor,
    moved.map(({ subjectId, hasLeft }) => ({
      runId,
      toldBy: runId,
      subjectId,
      kind: hasLeft ? ('left_sitemap' as const) : ('joined_sitemap' as const),
      before: {},
      after: {},
      requestId: null,
      at,
    })),
  );
  return told.map((change) => ({
    ...change,
    monitorId: monitor.monitorId,
    input: inputs.get(change.subjectId) ?? null,
  }));
}

/** Keeps what the run counted, and counts each change with the run that saw it first. */
async function keepTallies(
  trx: Trx,
  { monitor, run, sheet, at, comparedAt }: Settling,
  told: ToldChange[],
): Promise<void> {
  const ownId = run.confirms ?? run.runId;
  const byRun = Map.groupBy(told, ({ runId }) => runId);
  for (const { kind } of byRun.get(ownId) ?? []) sheet.tell(kind);
  // What the run that is confirmed counted may be gone by now.
  if (!run.confirms || comparedAt) {
    const { tally, groups } = sheet;
    await runTallies.keep(trx, monitor, { runId: ownId, at: comparedAt ?? at, tally, groups });
  }
  for (const [runId, others] of byRun) {
    const kept = runId === ownId ? null : await runTallies.find(trx, monitor, runId);
    if (!kept) continue;
    const earlier = new TallySheet(kept);
    for (const { kind } of others) earlier.tell(kind);
    await runTallies.keep(trx, monitor, { ...kept, tally: earlier.tally, groups: earlier.groups });
  }
}

function summaryOf(told: ToldChange[]): Pick<Settled, 'changes' | 'counts' | 'inline'> {
  const counts: Settled['counts'] = {};
  for (const { kind } of told) counts[kind] = (counts[kind] ?? 0) + 1;
  return { changes: told.length, counts, inline: told.slice(0, inlineMax).map(changeBody) };
}
