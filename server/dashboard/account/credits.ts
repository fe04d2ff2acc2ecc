import type { Request, RequestHandler, Response } from 'express';
import { changeCreditAlert } from '../../../accounts/credit-alert.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import { isConfirmed } from '../../../db/accounts/user-emails.ts';
import * as batchLists from '../../../db/batches/batch-lists.ts';
import type { ItemRow } from '../../../db/batches/items.ts';
import * as singleChecks from '../../../db/batches/single-checks.ts';
import * as alerts from '../../../db/ledger/credit-alerts.ts';
import * as ledger from '../../../db/ledger/ledger.ts';
import { isOptedOut, optIn } from '../../../db/notifications/mail-addresses.ts';
import { checkTypes } from '../../../schemas/check-types.ts';
import { readCreditAlert } from '../../api/credits.ts';
import { toBatchView } from '../batches/batch-view.ts';
import { chartSizes, columnChart } from '../charts.ts';
import type { DashboardContext } from '../context.ts';
import { toItemView } from '../evidence/evidence.ts';
import { setFlash } from '../flash.ts';
import { grouped } from '../format.ts';
import { getForm } from '../forms.ts';
import { createPager, readPageNumber } from '../paging.ts';
import { type Refusal, toRefusal } from '../refusal.ts';
import { showFragment, showPage } from '../render.ts';
import { getActor, getAuthorization, getSession } from '../visitors.ts';

const perPage = 25;
const days = 30;
const list = 'credits';

export function creditPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = (req, res) => page(req, res);

  async function page(req: Request, res: Response, refusal?: Refusal): Promise<void> {
    const { accountId } = getSession(req);
    const page = readPageNumber(req);
    const [use, total, entries] = await Promise.all([
      ledger.listUseByDay(db, accountId, days),
      ledger.count(db, accountId),
      ledger.list(db, accountId, { limit: perPage, offset: (page - 1) * perPage }),
    ]);
    const ids = new Set(entries.flatMap(({ batchId }) => batchId ?? []));
    const named = new Map(
      (await batchLists.listByIds(db, accountId, [...ids])).map((row) => [row.batchId, toBatchView(row)]),
    );
    const requestIds = entries.flatMap(({ requestId }) => requestId ?? []);
    const singles = new Map(
      (await singleChecks.listByIds(db, accountId, requestIds)).map((item) => [
        item.requestId,
        toSubject(item),
      ]),
    );
    const columns = use.map(({ day, used }) => ({ label: day, value: used }));
    const data = {
      ...(await alertData(req, refusal !== undefined)),
      use,
      used: use.reduce((sum, { used }) => sum + used, 0),
      days,
      charts: chartSizes.map(({ name, width }) => ({ name, ...columnChart(columns, width) })),
      entries: entries.map((entry) => ({
        ...entry,
        action: actions[entry.kind],
        subject: named.get(entry.batchId ?? '') ?? singles.get(entry.requestId ?? 0),
        reason: entry.requestId === null ? entry.note : 'single check',
      })),
      pager: createPager(req, { page, perPage, shown: entries.length, total }),
    };
    await showPage(context, req, res, { view: 'credits', title: 'Credits', data, refusal });
  }

  /** Returns the values of the alert form: the stored values, or the typed values if they were rejected. */
  async function alertData(req: Request, isTyped: boolean) {
    const { accountId, userId } = getSession(req);
    const alert = await alerts.find(db, accountId);
    const typed = isTyped ? getForm(req) : null;
    const isReachable = await isConfirmed(db, userId);
    return {
      alert,
      threshold: typed?.text('threshold') ?? (alert.threshold === null ? '' : grouped(alert.threshold)),
      webhookUrl: typed?.text('webhook_url') ?? alert.url ?? '',
      isMailed: isReachable && !(await isOptedOut(db, { userId, accountId, list })),
      isConfirmed: isReachable,
    };
  }

  /** Saves the alert. Subscribes the user again to emails about low credits. */
  const setAlert: RequestHandler = async (req, res) => {
    const { accountId, userId } = getSession(req);
    try {
      const form = getForm(req);
      const threshold = form.text('threshold').replaceAll(/[, ]/g, '');
      const wish = readCreditAlert(context, {
        threshold: threshold === '' ? null : Number(threshold),
        webhook_url: form.text('webhook_url') || null,
      });
      await inOpenAccount(db, getAuthorization(req), (trx) =>
        changeCreditAlert(trx, { ...wish, accountId, by: getActor(req) }),
      );
      await optIn(db, { userId, accountId, list });
      const saved = `Saved. We notify you when the balance falls below ${grouped(wish.threshold ?? 0)}.`;
      const text = wish.threshold === null ? 'Saved. Low-credit alerts are off.' : saved;
      setFlash(context, res, { tone: 'good', text });
    } catch (error) {
      return page(req, res, toRefusal(error, { fields: ['threshold', 'webhook_url'] }));
    }
    res.redirect(303, '/credits');
  };

  /** Sends the current balance for the page header. Another tab may have spent credits. */
  const balance: RequestHandler = async (req, res) => {
    const credits = await ledger.balance(db, getSession(req).accountId);
    showFragment(context, req, res, { view: 'balance', data: { credits } });
  };

  return { show, setAlert, balance };
}

const actions = { grant: 'Granted', charge: 'Charged', refund: 'Refunded', adjustment: 'Adjusted' };

function toSubject(item: ItemRow): { name: string; href: string; detail: string } {
  const { asked, history } = toItemView(item);
  const detail = `${checkTypes[item.type].title}, single check`;
  return { name: asked, href: history ?? `/ranks/checks?${new URLSearchParams({ q: asked })}`, detail };
}
