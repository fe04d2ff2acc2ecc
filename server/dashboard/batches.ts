import type { RequestHandler } from 'express';
import * as batchLists from '../../db/batch-lists.ts';
import { searchedBatchesMax } from '../../db/batch-search.ts';
import { batchStatuses } from '../../schemas/batch.ts';
import { checkTypeNames, checkTypes } from '../../schemas/check-types.ts';
import { searchInTurn } from '../api/batch-search.ts';
import { totalMax } from '../api/lists.ts';
import { viewOf } from './batch-view.ts';
import type { DashboardContext } from './context.ts';
import { pageOf, pagerOf, textOf, wordOf } from './paging.ts';
import { showPage } from './render.ts';
import { sessionOf } from './visitors.ts';

const perPage = 25;

export function batchListPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = sessionOf(req);
    const page = pageOf(req);
    const search = textOf(req, 'q');
    const filter = {
      type: wordOf(req, 'type', checkTypeNames),
      status: wordOf(req, 'status', batchStatuses),
    };
    const [total, rows] = await searchInTurn(context, accountId, search, (found) => {
      const meant = { ...filter, search: found };
      const window = { limit: perPage, offset: (page - 1) * perPage };
      return Promise.all([
        batchLists.count(db, accountId, meant, totalMax + 1),
        batchLists.list(db, accountId, { ...meant, ...window }),
      ]);
    });
    const data = {
      batches: rows.map(viewOf),
      filter,
      search,
      searchedBatchesMax,
      types: Object.fromEntries(checkTypeNames.map((type) => [type, checkTypes[type].title])),
      pager: pagerOf(req, { page, perPage, shown: rows.length, total, totalMax }),
    };
    await showPage(context, req, res, { view: 'batches', title: 'Batches', data });
  };

  return { show };
}
