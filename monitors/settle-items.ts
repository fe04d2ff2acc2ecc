import { isDeepStrictEqual } from 'node:util';
import type { ItemRow } from '../db/batches/items.ts';
import * as baselines from '../db/monitors/baselines.ts';
import * as changes from '../db/monitors/changes.ts';
import * as points from '../db/monitors/points.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { fingerprintOf } from '../db/monitors/subjects.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { AnswerOf, InputOf } from '../schemas/check-types.ts';
import { type Decision, decide } from './changes/decide.ts';
import { factsOf } from './changes/facts.ts';
import { isRepeated, pointOf } from './changes/point-of.ts';
import type { Settled, Settling, ToldChange } from './settled.ts';

/** An answer with what was known of its subject before. */
interface Look {
  subjectId: number;
  requestId: number;
  input: InputOf;
  answer: AnswerOf | null;
  baseline: baselines.BaselineRow | null;
  last: points.PointRow | null;
  earlier: points.EarlierPoint[];
}

interface Seen extends Look {
  answer: AnswerOf;
  decision: Decision;
}

/** Says what some items of a run changed, and remembers it. */
export async function settleItems(
  trx: Trx,
  step: ItemRow[],
  context: Settling,
): Promise<Pick<Settled, 'losses' | 'indexed'> & { told: ToldChange[] }> {
  const { monitor } = context;
  const looks = await looksAt(trx, step, context);
  const seen = looks.flatMap((look) =>
    look.answer === null ? [] : [see({ ...look, answer: look.answer }, context)],
  );
  count(looks, seen, context);
  const told = await tell(trx, seen, context);
  await keepPoints(trx, seen, context);
  await keepBaselines(trx, seen, context);
  return {
    told,
    losses: seen.filter(({ decision }) => decision.isUnconfirmed).map(({ subjectId }) => subjectId),
    indexed:
      monitor.type === 'index'
        ? seen
            .filter(({ answer }) => (answer as AnswerOf<'index'>).is_indexed)
            .map(({ subjectId }) => subjectId)
        : [],
  };
}

async function looksAt(trx: Trx, step: ItemRow[], { monitor, at, comparedAt }: Settling): Promise<Look[]> {
  const prints = step.map(({ input }) => fingerprintOf(input));
  const known = await subjects.idsByFingerprint(trx, monitor, prints);
  const ids = [...known.values()];
  const { accountId, type } = monitor;
  const before = await baselines.find(trx, monitor, ids);
  const last = await points.lastOf(trx, accountId, ids);
  const earlier = type === 'keyword' ? await points.findEarlier(trx, monitor, ids, comparedAt ?? at) : [];
  const bySubject = Map.groupBy(earlier, ({ subjectId }) => subjectId);
  return step.flatMap(({ input, outcome, requestId }, place) => {
    const subjectId = known.get(prints[place]?.toString('hex') ?? '');
    if (subjectId === undefined) return [];
    return [
      {
        subjectId,
        requestId,
        input: input as InputOf,
        answer: outcome,
        baseline: before.get(subjectId) ?? null,
        last: last.get(subjectId) ?? null,
        earlier: bySubject.get(subjectId) ?? [],
      },
    ];
  });
}

function see(look: Look & { answer: AnswerOf }, { monitor, run }: Settling): Seen {
  const facts = factsOf(monitor.type, look.answer, look.input);
  return { ...look, decision: decide(monitor.type, look.baseline, facts, run, monitor) };
}

/** A confirmation adds to what the run counted that it looks at again: the answers that this left open. */
function count(looks: Look[], seen: Seen[], { monitor, run, sheet }: Settling): void {
  const decisions = new Map(seen.map(({ subjectId, decision }) => [subjectId, decision]));
  for (const { subjectId, input, answer, earlier, baseline } of looks) {
    const decision = decisions.get(subjectId);
    const found = { input, answer, earlier, isUnconfirmed: decision?.isUnconfirmed ?? false };
    if (!run.confirms) sheet.add(monitor.type, found);
    else if (baseline?.pendingRunId === run.confirms && decision?.known.pendingRunId === null)
      sheet.confirm(monitor.type, found);
  }
}

async function keepPoints(trx: Trx, seen: Seen[], { monitor, at }: Settling): Promise<void> {
  const moved: points.PointRow[] = [];
  const begun: points.PointRow[] = [];
  for (const { subjectId, answer, decision, last } of seen) {
    const point = pointOf(monitor.type, answer, decision.isUnconfirmed);
    if (last && last.lastAt <= at && isRepeated(last, point)) moved.push({ ...last, ...point, lastAt: at });
    else begun.push({ subjectId, firstAt: at, lastAt: at, ...point });
  }
  await points.keep(trx, monitor.accountId, { moved, begun });
}

async function keepBaselines(trx: Trx, seen: Seen[], { monitor, at }: Settling): Promise<void> {
  const now = seen.map(({ subjectId, baseline, decision, answer }) => {
    const { facts, pendingRunId } = decision.known;
    const best = { best: baseline?.best ?? null, bestAt: baseline?.bestAt ?? null };
    const rank = monitor.type === 'keyword' ? (answer as AnswerOf<'keyword'>).rank : null;
    const isBest = rank !== null && (best.best === null || rank < best.best);
    const row = {
      subjectId,
      facts: { ...facts },
      pendingRunId,
      ...(isBest ? { best: rank, bestAt: at } : best),
    };
    return { row, isSame: baseline !== null && isDeepStrictEqual(row, baseline) };
  });
  const changed = now.filter(({ isSame }) => !isSame).map(({ row }) => row);
  await baselines.keep(trx, monitor, changed);
}

async function tell(trx: Trx, seen: Seen[], { monitor, run, toldAt }: Settling): Promise<ToldChange[]> {
  const news = seen.flatMap(({ subjectId, requestId, decision: { told } }) =>
    told ? [{ subjectId, requestId, ...told, toldBy: run.runId, at: toldAt }] : [],
  );
  const inputs = new Map(seen.map(({ subjectId, input }) => [subjectId, input]));
  const told = await changes.add(trx, monitor, news);
  return told.map((change) => ({
    ...change,
    monitorId: monitor.monitorId,
    input: inputs.get(change.subjectId) ?? null,
  }));
}
