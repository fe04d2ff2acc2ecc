import type { Request, RequestHandler, Response } from 'express';
import { requireComparable } from '../../../batches/errors.ts';
import * as batches from '../../../db/batches/batches.ts';
import * as comparison from '../../../db/batches/comparison.ts';
import * as monitorRuns from '../../../db/monitors/monitor-runs.ts';
import * as subjects from '../../../db/monitors/subjects.ts';
import type { CheckType } from '../../../schemas/check-types.ts';
import type { Change } from '../../../schemas/comparison.ts';
import { parseUuid } from '../../../schemas/uuid.ts';
import { readBatchRef } from '../../api/batch-ref.ts';
import {
  compareBatches,
  findComparedBatch,
  readComparisonSelection,
  sendComparison,
} from '../../api/comparison.ts';
import { readLocale, type TableFormat } from '../../api/results/export.ts';
import { notFound } from '../../http/errors.ts';
import { closeSignal } from '../../limits/slots.ts';
import { toBatchView } from '../batches/batch-view.ts';
import { findBatch } from '../batches/find-batch.ts';
import type { DashboardContext } from '../context.ts';
import { toDetailedItemView } from '../evidence/evidence.ts';
import { type RankMove, toRankMove } from '../evidence/rank-move.ts';
import type { Tone } from '../evidence/shares.ts';
import { counted } from '../format.ts';
import { findMonitor } from '../monitors/find-monitor.ts';
import { createPager, readPageNumber, readQueryText, withQuery } from '../paging.ts';
import { Refusal } from '../refusal.ts';
import { showPage } from '../render.ts';

const perPage = 50;
const choicesMax = 100;

/** A batch or a run that is compared, or that can be chosen. */
interface Side {
  id: string;
  href: string;
  /** Null for a run. */
  name: string | null;
  at: Date;
}

/** Two batches of a list or two runs of a monitor. `choices` are the batches or runs that can be chosen instead. */
interface ComparedPair {
  name: string;
  now: Side;
  before: Side;
  choices: Side[];
  batches: comparison.ComparedBatches;
}

export function comparisonPages(context: DashboardContext) {
  const { db, config } = context;

  /** Compares two batches. If the form of the page sends another later batch as `now`, redirects to its comparison. */
  const showBatches: RequestHandler = async (req, res) => {
    const chosen = parseUuid(req.query.now);
    if (chosen && chosen !== req.params.batch_id)
      return res.redirect(303, withQuery(req, `/batches/${chosen}/compare`, { now: null }));
    await show(req, res, await findBatches(req));
  };

  const showRuns: RequestHandler = async (req, res) => show(req, res, await findRuns(req));

  const exportAs =
    (find: (req: Request) => Promise<ComparedPair>, ending: TableFormat): RequestHandler =>
    async (req, res) => {
      const choice = { selection: readComparisonSelection(req), ending, locale: readLocale(req) };
      const { batches: pair } = await find(req);
      await sendComparison(context, res, pair, { ...choice, hasByteOrderMark: true });
    };

  async function findBatches(req: Request): Promise<ComparedPair> {
    const now = await findBatch(context, req);
    const missing = () => notFound('No batch with this id in your account to compare with.');
    const { with: other } = req.query;
    const params = { batch_id: String(other) };
    const named = other ? readBatchRef({ params }, now.accountId, missing) : null;
    const before = await findComparedBatch(db, now, named, missing);
    const list = await comparison.listSameList(db, now, choicesMax);
    return {
      name: toBatchView(now).name,
      now: toSide(now),
      before: toSide(before),
      choices: withChosen(list.map(toSide), toSide(now), toSide(before)),
      batches: { now: [now], before: [before] },
    };
  }

  /** Compares two runs of a monitor. By default, these are the last two runs. */
  async function findRuns(req: Request): Promise<ComparedPair> {
    const monitor = await findMonitor(context, req);
    const { accountId, monitorId } = monitor;
    const list = await monitorRuns.listEnded(db, monitor, { limit: choicesMax });
    const choose = async (name: 'now' | 'with', fallback: monitorRuns.RunRow | undefined) => {
      const runId = parseUuid(req.query[name]);
      const run = runId ? await monitorRuns.find(db, { accountId, runId }) : fallback;
      if (!run || run.monitorId !== monitorId || run.batchIds.length === 0)
        throw new Refusal(
          404,
          'This monitor needs two finished runs to compare. Compare again after the next run.',
          {
            title: 'Nothing to compare yet',
            nextStep: { href: `/monitors/${monitorId}`, name: 'Back to the monitor' },
          },
        );
      return run;
    };
    const now = await choose('now', list[0]);
    const earlier = list.find((run) => run.createdAt < now.createdAt);
    const before = await choose('with', earlier);
    return {
      name: monitor.name,
      now: toRunSide(now),
      before: toRunSide(before),
      choices: withChosen(list.map(toRunSide), toRunSide(now), toRunSide(before)),
      batches: { now: await findRunBatches(now), before: await findRunBatches(before) },
    };
  }

  async function findRunBatches({
    accountId,
    batchIds,
    monitorId,
  }: monitorRuns.RunRow): Promise<batches.BatchRow[]> {
    const all = await Promise.all(batchIds.map((batchId) => batches.find(db, { accountId, batchId })));
    const found = all.filter((batch) => batch !== null);
    if (found.some(({ purgedAt }) => purgedAt)) {
      const kept = counted(config.retention.days, 'day');
      const message = `The results of this run were deleted, because results are kept for ${kept}. Compare later runs.`;
      const nextStep = { href: `/monitors/${monitorId}/compare`, name: 'Compare the latest runs' };
      throw new Refusal(410, message, { nextStep });
    }
    for (const batch of found) requireComparable(batch);
    return found;
  }

  async function show(req: Request, res: Response, { batches: pair, ...sides }: ComparedPair): Promise<void> {
    const [first] = pair.now as [batches.BatchRow];
    const choices = listChoices(first.type);
    const named = choices.find(({ name }) => name === req.query.change);
    const search = readQueryText(req, 'q');
    const page = readPageNumber(req);
    const choose = (counts: comparison.ComparedCounts) =>
      named ?? choices.find((one) => countChoice(counts, one) > 0) ?? (choices.at(-1) as ChangeChoice);
    const window = { search, limit: perPage, offset: (page - 1) * perPage };
    const { counts, found } = await compareBatches(
      context,
      pair,
      (all) => {
        const { change, direction } = choose(all);
        return { ...window, change, direction };
      },
      closeSignal(res),
    );
    const { rows, total } = found;
    const paths = await findSubjectPaths(first, rows);
    const data = {
      ...{ ...sides, type: first.type, search, change: choose(counts).name },
      hrefFor: (name: string) => withQuery(req, req.path, { change: name, page: null }),
      exportHref: (ending: TableFormat) =>
        withQuery(req, `${req.path}.${ending}`, { page: null, change: null, q: null }),
      isKeyword: first.type === 'keyword',
      shares: choices.map((one) => ({ ...one, count: countChoice(counts, one) })),
      rows: rows.map((row, place) => {
        const before = row.before && toDetailedItemView(row.before);
        const now = row.now && toDetailedItemView(row.now);
        return { now, before, path: paths[place], move: findRankMove(row), pages: findPages(row) };
      }),
      pager: createPager(req, { page, perPage, shown: rows.length, total }),
    };
    await showPage(context, req, res, { view: 'compare', title: `Compare ${sides.name}`, data });
  }

  /** Returns the path of each keyword's page; null for an input that is not a keyword of a monitor. */
  async function findSubjectPaths(
    { accountId, monitorId, type }: batches.BatchRow,
    rows: comparison.ComparedInput[],
  ): Promise<Array<string | null>> {
    if (!monitorId || type !== 'keyword') return rows.map(() => null);
    const inputs = rows.map(({ now, before }) => (now ?? before)?.input ?? {});
    const ids = await subjects.findIds(db, { accountId, monitorId }, inputs);
    return ids.map((id) => (id === null ? null : `/monitors/${monitorId}/subjects/${id}`));
  }

  return {
    showBatches,
    showRuns,
    exportBatches: (ending: TableFormat) => exportAs(findBatches, ending),
    exportRuns: (ending: TableFormat) => exportAs(findRuns, ending),
  };
}

/** Compares two ranks. Returns null for other types, and if the change is unknown. */
function findRankMove({ change, now, before }: comparison.ComparedInput): RankMove | null {
  const isKnown = change !== 'unknown' && now?.type === 'keyword' && before?.type === 'keyword';
  if (!isKnown || now.state !== 'success' || before.state !== 'success') return null;
  return toRankMove(before.outcome.rank, now.outcome.rank);
}

/** Returns the pages that ranked before and now; null if they do not differ. */
function findPages({ now, before }: comparison.ComparedInput): { before: string; now: string } | null {
  const [is, was] = [now, before].map((item) => (item?.type === 'keyword' ? item.outcome?.ranked_url : null));
  return was && is && was !== is ? { before: was, now: is } : null;
}

function toSide(batch: batches.BatchRow): Side {
  const { id, href, name } = toBatchView(batch);
  return { id, href, name, at: batch.createdAt };
}

function toRunSide({ runId, batchId, startedAt, createdAt }: monitorRuns.RunRow): Side {
  return { id: runId, href: `/batches/${batchId}`, name: null, at: startedAt ?? createdAt };
}

/** Adds the chosen sides to a list, once each, and sorts the list by time, newest first. */
function withChosen(list: Side[], ...chosen: Side[]): Side[] {
  const all = new Map([...list, ...chosen].map((side) => [side.id, side]));
  return [...all.values()].sort((one, other) => other.at.getTime() - one.at.getTime());
}

/** A group of inputs that the page can list. */
interface ChangeChoice {
  /** Value of the query parameter `change`. */
  name: string;
  change: Change;
  direction?: comparison.Direction;
  label: string;
  tone: Tone;
}

function listChoices(type: CheckType): ChangeChoice[] {
  const [broken, fixed] = lossAndGain[type];
  const moved: Array<Omit<ChangeChoice, 'change'>> =
    type === 'keyword'
      ? [
          { name: 'down', direction: 'down', label: 'Moved down', tone: 'bad' },
          { name: 'up', direction: 'up', label: 'Moved up', tone: 'good' },
          { name: 'page', direction: 'level', label: 'Same rank, another page', tone: 'info' },
        ]
      : [{ name: 'changed', label: 'Changed', tone: 'info' }];
  const others: Array<Omit<ChangeChoice, 'name'> & { change: Change }> = [
    { change: 'added', label: 'Added', tone: 'mute' },
    { change: 'gone', label: 'Removed', tone: 'mute' },
    { change: 'unknown', label: 'Not comparable', tone: 'mute' },
    { change: 'same', label: 'Unchanged', tone: 'mute' },
  ];
  return [
    { name: 'broken', change: 'broken', label: broken, tone: 'bad' },
    { name: 'fixed', change: 'fixed', label: fixed, tone: 'good' },
    ...moved.map((one) => ({ ...one, change: 'changed' as const })),
    ...others.map((one) => ({ ...one, name: one.change })),
  ];
}

function countChoice(
  { changes, changed }: comparison.ComparedCounts,
  { change, direction }: ChangeChoice,
): number {
  return direction ? changed[direction] : changes[change];
}

const lossAndGain: Record<CheckType, [broken: string, fixed: string]> = {
  http: ['Newly broken', 'Fixed'],
  index: ['No longer indexed', 'Newly indexed'],
  keyword: ['No longer ranked', 'Newly ranked'],
};
