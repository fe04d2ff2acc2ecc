import { isDeepStrictEqual } from 'node:util';
import { getDomain } from 'tldts';
import * as batches from '../db/batches/batches.ts';
import type { ItemRow } from '../db/batches/items.ts';
import * as resultPages from '../db/batches/result-pages.ts';
import * as results from '../db/batches/results.ts';
import * as baselines from '../db/monitors/baselines.ts';
import * as changes from '../db/monitors/changes.ts';
import { registerForPurge } from '../db/monitors/monitor-purge.ts';
import type { RunRow } from '../db/monitors/monitor-runs.ts';
import type { MonitorRef, MonitorRow } from '../db/monitors/monitors.ts';
import * as points from '../db/monitors/points.ts';
import * as runTallies from '../db/monitors/run-tallies.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { ChangeKind } from '../schemas/change-kinds.ts';
import type { AnswerOf, InputOf } from '../schemas/check-types.ts';
import { changeBody } from '../wire/changes.ts';
import { type ChangeDecision, decideChange } from './changes/compare.ts';
import {
  type FactsOf,
  isSamePoint,
  type PartName,
  partNames,
  toFacts,
  toPartFacts,
  toPoint,
} from './changes/facts.ts';
import { TallyBuilder } from './changes/tally.ts';
import { countDueTimes } from './due-times.ts';

export interface RunResults {
  /** Number of reported changes. */
  changes: number;
  counts: Partial<Record<ChangeKind, number>>;
  /** The first hundred changes, as API bodies. */
  inline: object[];
  /** Subjects with a loss that a second check must confirm. */
  losses: number[];
  indexed: number[];
}

interface Context {
  monitor: MonitorRef & Pick<MonitorRow, 'type' | 'schedule' | 'rankThreshold' | 'confirmLosses'>;
  run: Pick<RunRow, 'runId' | 'confirms' | 'startedAt' | 'batchIds'>;
  sheet: TallyBuilder;
  /** Number of AI Overviews by the domain that they cite. */
  sources: Map<string, number>;
  /** Start of the run. */
  at: Date;
  /**
   * Start of the run that this run confirms. Undefined without such a run, or if the tally of that run is no longer
   * stored.
   */
  confirmedAt: Date | undefined;
  now: Date;
}

interface FoundItem {
  subjectId: number;
  requestId: number;
  input: InputOf;
  answer: AnswerOf | null;
  baseline: baselines.BaselineRow | null;
  lastPoint: points.PointRow | null;
  earlier: points.EarlierPoint[];
}

interface Answered extends FoundItem {
  answer: AnswerOf;
  facts: FactsOf;
  decision: ChangeDecision;
  /** Decisions about the AI Overview and the featured snippet of a query that asks for them. */
  parts: Partial<Record<PartName, ChangeDecision>>;
}

const itemsPerStep = 500;
const inlineMax = 100;

/**
 * Compares the items of an ended run with the baselines. Stores changes, points, new baselines and the tally. The
 * transaction must have locked the monitor and the run. At most 500 items are in memory at a time. Source:
 * docs/monitors.md.
 */
export async function recordResults(
  trx: Trx,
  monitor: Context['monitor'],
  run: Context['run'],
): Promise<RunResults> {
  const now = await clock(trx);
  const confirmed = run.confirms ? await runTallies.find(trx, monitor, run.confirms) : null;
  const sheet = new TallyBuilder(confirmed);
  const at = run.startedAt ?? now;
  const sources = new Map<string, number>();
  const context: Context = { monitor, run, sheet, sources, at, confirmedAt: confirmed?.at, now };
  const reported: changes.ChangeRow[] = [];
  const losses: number[] = [];
  const indexed: number[] = [];
  for await (const step of readItems(trx, context)) {
    const found = await findSubjects(trx, step, context);
    const answered = found.flatMap((one) => (one.answer ? [toAnswered(one, one.answer, context)] : []));
    count(found, answered, context);
    await countSources(trx, answered, context);
    reported.push(...(await addChanges(trx, answered, context)));
    await savePoints(trx, answered, context);
    await saveBaselines(trx, answered, context);
    for (const { subjectId, answer, decision, parts } of answered) {
      if ([decision, ...Object.values(parts)].some((one) => one.isUnconfirmed)) losses.push(subjectId);
      if (monitor.type === 'index' && (answer as AnswerOf<'index'>).is_indexed) indexed.push(subjectId);
    }
  }
  if (!run.confirms) reported.push(...(await addSitemapChanges(trx, context)));
  await saveTallies(trx, reported, context);
  await registerForPurge(trx, monitor);
  const counts: RunResults['counts'] = {};
  for (const { kind } of reported) counts[kind] = (counts[kind] ?? 0) + 1;
  const inline = reported.slice(0, inlineMax).map(changeBody);
  return { changes: reported.length, counts, inline, losses, indexed };
}

async function* readItems(trx: Trx, { monitor: { accountId }, run }: Context): AsyncGenerator<ItemRow[]> {
  for (const batchId of run.batchIds) {
    const batch = await batches.find(trx, { accountId, batchId });
    for (let afterPosition = -1; batch; ) {
      const step = await results.pageAfter(trx, batch, { afterPosition, limit: itemsPerStep });
      if (step.length === 0) break;
      yield step;
      afterPosition = step.at(-1)?.position ?? afterPosition;
    }
  }
}

async function findSubjects(
  trx: Trx,
  step: ItemRow[],
  { monitor, at, confirmedAt }: Context,
): Promise<FoundItem[]> {
  const found = await subjects.findIds(
    trx,
    monitor,
    step.map(({ input }) => input),
  );
  const ids = found.filter((id) => id !== null);
  const { accountId, type } = monitor;
  const baselinesById = await baselines.find(trx, monitor, ids);
  const lastPoints = await points.findLast(trx, accountId, ids);
  const earlier = type === 'keyword' ? await points.findEarlier(trx, monitor, ids, confirmedAt ?? at) : [];
  const earlierPoints = Map.groupBy(earlier, ({ subjectId }) => subjectId);
  return step.flatMap(({ input, outcome, requestId }, nth) => {
    const subjectId = found[nth] ?? null;
    if (subjectId === null) return [];
    return [
      {
        subjectId,
        requestId,
        input: input as InputOf,
        answer: outcome,
        baseline: baselinesById.get(subjectId) ?? null,
        lastPoint: lastPoints.get(subjectId) ?? null,
        earlier: earlierPoints.get(subjectId) ?? [],
      },
    ];
  });
}

function toAnswered(found: FoundItem, answer: AnswerOf, { monitor, run }: Context): Answered {
  const facts = toFacts(monitor.type, answer, found.input);
  const decision = decideChange(monitor.type, found.baseline, facts, run, monitor);
  const parts: Answered['parts'] = {};
  const partFacts = monitor.type === 'keyword' ? toPartFacts(answer as AnswerOf<'keyword'>) : null;
  for (const name of partNames) {
    const now = partFacts?.[name];
    if (now) parts[name] = decideChange(name, found.baseline?.parts?.[name] ?? null, now, run, monitor);
  }
  return { ...found, answer, facts, decision, parts };
}

/** Counts the results. A confirmation adds its answers to the tally of the run that it confirms. */
function count(found: FoundItem[], answered: Answered[], { monitor, run, sheet }: Context): void {
  const decided = new Map(answered.map((one) => [one.subjectId, one]));
  for (const { subjectId, input, answer, earlier, baseline } of found) {
    const { decision, parts } = decided.get(subjectId) ?? {};
    const isUnconfirmed = decision?.isUnconfirmed ?? false;
    const isOverviewUnconfirmed = parts?.overview?.isUnconfirmed ?? false;
    const counted = { input, answer, earlier, isUnconfirmed, isOverviewUnconfirmed };
    if (!run.confirms) {
      sheet.add(monitor.type, counted);
      continue;
    }
    const isDecided = (pendingRunId: string | null | undefined, now: ChangeDecision | undefined) =>
      pendingRunId === run.confirms && now?.known.pendingRunId === null;
    if (isDecided(baseline?.pendingRunId, decision)) sheet.confirm(monitor.type, counted);
    if (isDecided(baseline?.parts?.overview?.pendingRunId, parts?.overview))
      sheet.confirmOverview(monitor.type, counted);
  }
}

/**
 * Counts the domains that the overviews of a run cite. Skips confirmations: the run that they confirm has counted their
 * queries.
 */
async function countSources(
  trx: Trx,
  answered: Answered[],
  { monitor: { accountId }, run, sources }: Context,
): Promise<void> {
  const shown = answered.filter(
    ({ answer }) => 'ai_overview' in answer && answer.ai_overview?.state === 'shown',
  );
  if (run.confirms || shown.length === 0) return;
  const ids = shown.map(({ requestId }) => requestId);
  for (const { overview } of (await resultPages.find(trx, accountId, ids)).values()) {
    const domains = (overview?.sources ?? []).map(({ url }) => toDomain(url));
    for (const domain of new Set(domains)) sources.set(domain, (sources.get(domain) ?? 0) + 1);
  }
}

/**
 * Returns the registrable domain of a URL or host, by the public suffix list. Returns the host if it has no registrable
 * domain.
 */
export function toDomain(address: string): string {
  const host = URL.parse(/^https?:/i.test(address) ? address : `https://${address}`)?.hostname ?? address;
  return getDomain(host) ?? host;
}

/** Maximum number of cited domains stored per run. The most cited domains are stored. */
const sourcesMax = 200;

async function addChanges(
  trx: Trx,
  answered: Answered[],
  { monitor, run, now }: Context,
): Promise<changes.ChangeRow[]> {
  const inputs = new Map(answered.map(({ subjectId, input }) => [subjectId, input]));
  const added = await changes.add(
    trx,
    monitor,
    answered.flatMap(({ subjectId, requestId, decision, parts }) =>
      [decision, ...Object.values(parts)].flatMap(({ change }) =>
        change ? [{ subjectId, requestId, ...change, notifiedBy: run.runId, at: now }] : [],
      ),
    ),
  );
  return added.map((change) => toRow(change, monitor, inputs));
}

/**
 * Stores a change for each URL that joined or left the sitemap. If a URL joined the sitemap again and its answer
 * changed, only the change of its answer is stored.
 */
async function addSitemapChanges(
  trx: Trx,
  { monitor, run: { runId }, now }: Context,
): Promise<changes.ChangeRow[]> {
  const moved = await subjects.listSitemapChanges(trx, monitor, runId);
  const inputs = new Map(moved.map(({ subjectId, input }) => [subjectId, input]));
  const added = await changes.add(
    trx,
    monitor,
    moved.map(({ subjectId, hasLeft }) => ({
      runId,
      notifiedBy: runId,
      subjectId,
      kind: hasLeft ? ('left_sitemap' as const) : ('joined_sitemap' as const),
      before: {},
      after: {},
      requestId: null,
      at: now,
    })),
  );
  return added.map((change) => toRow(change, monitor, inputs));
}

function toRow(
  change: Omit<changes.ChangeRow, 'monitorId' | 'input'>,
  { monitorId }: MonitorRef,
  inputs: Map<number, InputOf>,
): changes.ChangeRow {
  return { ...change, monitorId, input: inputs.get(change.subjectId) ?? null };
}

/** Maximum number of due times from one answer to an equal one of the same period. */
const dueTimesMax = 2;

/** A period of equal answers does not include a pause, because nothing is known about its days. */
async function savePoints(trx: Trx, answered: Answered[], { monitor, at }: Context): Promise<void> {
  const moved: points.PointRow[] = [];
  const begun: points.PointRow[] = [];
  // Counts once for all subjects with the same last answer, because a long pause has many due times.
  const endings = new Set(answered.flatMap(({ lastPoint }) => lastPoint?.lastAt.getTime() ?? []));
  const open = new Set(
    [...endings].filter(
      (end) => countDueTimes(monitor.schedule, monitor.monitorId, new Date(end), at) <= dueTimesMax,
    ),
  );
  for (const { subjectId, input, answer, decision, parts, lastPoint: last } of answered) {
    const point = toPoint(monitor.type, answer, input, {
      isUnconfirmed: decision.isUnconfirmed,
      isOverviewUnconfirmed: parts.overview?.isUnconfirmed ?? false,
    });
    if (last && last.lastAt <= at && open.has(last.lastAt.getTime()) && isSamePoint(last, point))
      moved.push({ ...last, ...point, lastAt: at });
    else begun.push({ subjectId, firstAt: at, lastAt: at, ...point });
  }
  await points.save(trx, monitor.accountId, { moved, begun });
}

async function saveBaselines(trx: Trx, answered: Answered[], { monitor, at }: Context): Promise<void> {
  const rows = answered.map(({ subjectId, baseline, facts: now, decision, parts }) => {
    const { facts, pendingRunId } = decision.known;
    const { rank = null, ranked_url: latestUrl } = now as FactsOf<'keyword'>;
    const known = Object.entries(parts).map(([name, part]) => [name, part.known]);
    const all = { ...baseline?.parts, ...Object.fromEntries(known) };
    const best = { best: baseline?.best ?? null, bestAt: baseline?.bestAt ?? null };
    const isBest = rank !== null && (best.best === null || rank < best.best);
    const row = {
      ...{ subjectId, pendingRunId },
      facts: { ...facts, ...(latestUrl === undefined ? {} : { latest_url: latestUrl }) },
      parts: Object.keys(all).length > 0 ? all : null,
      ...(isBest ? { best: rank, bestAt: at } : best),
    };
    return baseline && isDeepStrictEqual(row, baseline) ? [] : [row];
  });
  await baselines.save(trx, monitor, rows.flat());
}

/** Stores the tallies. A change is counted in the run that found the change first. */
async function saveTallies(
  trx: Trx,
  reported: changes.ChangeRow[],
  { monitor, run, sheet, sources, at, confirmedAt }: Context,
): Promise<void> {
  const ownId = run.confirms ?? run.runId;
  const byRun = Map.groupBy(reported, ({ runId }) => runId);
  for (const { kind } of byRun.get(ownId) ?? []) sheet.countChange(kind);
  // If the tally of the confirmed run is no longer stored, the confirmation does not create a new tally.
  if (!run.confirms || confirmedAt) {
    const { tally, groups } = sheet;
    const most = [...sources].sort(([, one], [, other]) => other - one).slice(0, sourcesMax);
    const cited = most.length > 0 ? { sources: Object.fromEntries(most) } : {};
    await runTallies.save(trx, monitor, { runId: ownId, at: confirmedAt ?? at, tally, groups, ...cited });
  }
  for (const [runId, others] of byRun) {
    const kept = runId === ownId ? null : await runTallies.find(trx, monitor, runId);
    if (!kept) continue;
    const earlier = new TallyBuilder(kept);
    for (const { kind } of others) earlier.countChange(kind);
    await runTallies.save(trx, monitor, { ...kept, tally: earlier.tally, groups: earlier.groups });
  }
}
