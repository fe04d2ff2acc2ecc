import type { RequestHandler } from 'express';
import * as batchLists from '../../../db/batches/batch-lists.ts';
import { searchedBatchesMax } from '../../../db/batches/batch-lists.ts';
import type { BatchRow } from '../../../db/batches/batches.ts';
import { batchStatuses } from '../../../schemas/batch.ts';
import { checkTypeNames, checkTypes } from '../../../schemas/check-types.ts';
import { searchBatches } from '../../api/batch-search.ts';
import { closeSignal } from '../../limits/slots.ts';
import type { DashboardContext } from '../context.ts';
import { readPage, readQueryText, readQueryWord } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';
import { findSubmissionView } from './activity.ts';
import { type BatchView, toBatchView } from './batch-view.ts';

const perPage = 25;

export function batchListPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const search = readQueryText(req, 'q');
    const isTest = readQueryText(req, 'kind') === 'test';
    const filter = {
      isTest,
      type: readQueryWord(req, 'type', checkTypeNames),
      status: readQueryWord(req, 'status', batchStatuses),
    };
    // A submission is one row. With a search or a status filter, each batch has its own row. Test batches always have
    // their own rows, because test submissions have no page.
    const isFolded = search === '' && filter.status === undefined && !isTest;
    const wanted = { text: search, isTest, signal: closeSignal(res) };
    const { rows, pager } = await searchBatches(context, accountId, wanted, (found) => {
      const criteria = { ...filter, search: found, firstOfSubmission: isFolded };
      return readPage(req, perPage, {
        count: (max) => batchLists.count(db, accountId, criteria, max),
        list: (window) => batchLists.list(db, accountId, { ...criteria, ...window }),
      });
    });
    const data = {
      batches: await Promise.all(rows.map((row) => viewIn(accountId, row, isFolded))),
      filter,
      search,
      searchedBatchesMax,
      types: Object.fromEntries(checkTypeNames.map((type) => [type, checkTypes[type].title])),
      pager,
    };
    await showPage(context, req, res, { view: 'batches', title: 'Batches', data });
  };

  function viewIn(accountId: number, row: BatchRow, isFolded: boolean): BatchView | Promise<BatchView> {
    const { submissionId } = row;
    return isFolded && submissionId ? findSubmissionView(db, accountId, submissionId) : toBatchView(row);
  }

  return { show };
}
