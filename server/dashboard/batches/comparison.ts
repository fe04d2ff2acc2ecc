import type { Request, RequestHandler } from 'express';
import type * as batches from '../../../db/batches/batches.ts';
import type * as comparison from '../../../db/batches/comparison.ts';
import type { CheckType } from '../../../schemas/check-types.ts';
import { type Change, changes } from '../../../schemas/comparison.ts';
import { readBatchRef } from '../../api/batch-ref.ts';
import { compareBatches, findComparedBatches } from '../../api/comparison.ts';
import { notFound } from '../../http/errors.ts';
import { closeSignal } from '../../limits/slots.ts';
import type { DashboardContext } from '../context.ts';
import { toDetailedItemView } from '../evidence/evidence.ts';
import type { Tone } from '../evidence/shares.ts';
import { createPager, readPageNumber, readQueryText, withQuery } from '../paging.ts';
import { showPage } from '../render.ts';
import { toBatchView } from './batch-view.ts';
import { findBatch } from './find-batch.ts';

const perPage = 50;

/** Compares a batch with an earlier one, input by input. */
export function comparisonPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const now = await findBatch(context, req);
    const pair = await findPair(req, now);
    const { before } = pair;
    const labels = changeLabels(now.type);
    const chosen = changes.find((change) => change === req.query.change);
    const search = readQueryText(req, 'q');
    const page = readPageNumber(req);
    const chooseChange = (all: Record<Change, number>) =>
      chosen ?? changes.find((one) => all[one] > 0) ?? 'same';
    const window = { search, limit: perPage, offset: (page - 1) * perPage };
    const { counts, found } = await compareBatches(
      context,
      pair,
      (all) => ({ ...window, change: chooseChange(all) }),
      closeSignal(res),
    );
    const change = chooseChange(counts);
    const { rows, total } = found;
    const data = {
      ...{ now: toBatchView(now), before: toBatchView(before), search, change },
      with: req.query.with ? before.batchId : null,
      hrefFor: (one: Change) => withQuery(req, req.path, { change: one, page: null }),
      isKeyword: now.type === 'keyword',
      shares: changes.map((one) => ({ change: one, ...labels[one], count: counts[one] })),
      rows: rows.map((row) => ({
        now: row.now && toDetailedItemView(row.now),
        before: row.before && toDetailedItemView(row.before),
      })),
      pager: createPager(req, { page, perPage, shown: rows.length, total }),
    };
    await showPage(context, req, res, { view: 'compare', title: `Compare ${data.now.name}`, data });
  };

  /** Finds the batch to compare with: the batch in the query parameter `with`, else the previous batch. */
  async function findPair(req: Request, now: batches.BatchRow): Promise<comparison.BatchPair> {
    const missing = () => notFound('No batch with this id in your account to compare with.');
    const { with: other } = req.query;
    const params = { batch_id: String(other) };
    const named = other ? readBatchRef({ params }, now.accountId, missing) : null;
    return findComparedBatches(db, now, named, missing);
  }

  return { show };
}

interface ChangeLabel {
  label: string;
  tone: Tone;
}

function changeLabels(type: CheckType): Record<Change, ChangeLabel> {
  const [broken, fixed] = lossAndGain[type];
  return {
    broken: { label: broken, tone: 'bad' },
    fixed: { label: fixed, tone: 'good' },
    changed: { label: type === 'keyword' ? 'Moved' : 'Changed', tone: 'info' },
    added: { label: 'Added', tone: 'mute' },
    gone: { label: 'Removed', tone: 'mute' },
    unknown: { label: 'Not comparable', tone: 'mute' },
    same: { label: 'Unchanged', tone: 'mute' },
  };
}

const lossAndGain: Record<CheckType, [broken: string, fixed: string]> = {
  http: ['Newly broken', 'Fixed'],
  index: ['No longer indexed', 'Newly indexed'],
  keyword: ['No longer found', 'Newly found'],
};
