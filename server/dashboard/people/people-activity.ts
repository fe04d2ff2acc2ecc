import { stringify } from 'csv-stringify/sync';
import type { RequestHandler } from 'express';
import * as activity from '../../../db/accounts/activity.ts';
import { activityBody } from '../../../wire/person-bodies.ts';
import { totalMax } from '../../api/lists.ts';
import { escapeFormulas, quotedMatch } from '../../api/results/csv.ts';
import { sendText } from '../../api/results/stream.ts';
import { closeSignal } from '../../limits/slots.ts';
import type { DashboardContext } from '../context.ts';
import { createPager, readPageNumber } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';

const perPage = 50;
const exportedAtOnce = 500;
const columns = ['created_at', 'what', 'about', 'email', 'token_name', 'address'];

/** Pages of the activity log of an account. Only owners can open them. */
export function activityPages(context: DashboardContext) {
  const { db, exports } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const page = readPageNumber(req);
    const total = await activity.count(db, accountId, totalMax + 1);
    const rows = await activity.list(db, accountId, { limit: perPage, offset: (page - 1) * perPage });
    const data = {
      entries: rows.map((row) => ({ ...row, ...activityBody(row) })),
      pager: createPager(req, { page, perPage, shown: rows.length, total, totalMax }),
    };
    await showPage(context, req, res, { view: 'people-activity', title: 'Activity', data });
  };

  /** Exports the whole log. Holds one page in memory at a time. */
  const csv: RequestHandler = async (req, res) => {
    res.attachment('activity.csv').type('text/csv').set('Cache-Control', 'no-store');
    const { accountId } = getSession(req);
    const send = () => sendText(res, lines(accountId), context.stopping);
    await exports.run(accountId, send, { signal: closeSignal(res) });
  };

  async function* lines(accountId: number): AsyncGenerator<string> {
    yield stringify([], { columns, header: true, bom: true });
    let after: activity.ActivityCursor | undefined;
    do {
      const rows = await activity.list(db, accountId, { limit: exportedAtOnce, after });
      if (rows.length > 0)
        yield stringify(rows.map(activityBody), {
          columns,
          cast: { string: (text) => escapeFormulas(text) },
          quoted_match: quotedMatch,
        });
      after = rows.length === exportedAtOnce ? rows.at(-1) : undefined;
    } while (after);
  }

  return { show, csv };
}
