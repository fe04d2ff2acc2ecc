import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { checkRight, inOpenAccount } from '../../../db/accounts/open-account.ts';
import type { MonitorRef, MonitorRow } from '../../../db/monitors/monitors.ts';
import * as subjects from '../../../db/monitors/subjects.ts';
import { clock } from '../../../db/postgres/clock.ts';
import type { Trx } from '../../../db/postgres/connect.ts';
import {
  changeMonitor,
  deleteMonitor,
  type MonitorEdit,
  pauseMonitor,
  resumeMonitor,
} from '../../../monitors/monitor.ts';
import { prepareManualRun, startManualRun } from '../../../monitors/run.ts';
import { mergeTerms } from '../../api/monitor-terms.ts';
import { readMonitorChange } from '../../api/read-monitor.ts';
import { readSitemap } from '../../api/read-sitemap.ts';
import { runOnce } from '../../http/idempotency.ts';
import type { DashboardContext } from '../context.ts';
import { flashResult, setFlash } from '../flash.ts';
import { type Form, getForm } from '../forms.ts';
import { createFormKey } from '../intake/submit-check.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showFragment } from '../render.ts';
import { getAuthorization } from '../visitors.ts';
import { findMonitor } from './find-monitor.ts';
import { describePlan } from './monitor-view.ts';

export function monitorActionPages(context: DashboardContext) {
  const deps = { ...context, baseUrl: context.config.web.baseUrl };

  /** Returns a handler that runs `callback`, and redirects with `message` or the error message. */
  const formFor =
    (callback: (trx: Trx, ref: MonitorRef) => Promise<unknown>, message: string): RequestHandler =>
    async (req, res) => {
      const ref = await findMonitor(context, req);
      await redirectAfter(req, res, async () => {
        await inOpenAccount(context.db, getAuthorization(req), (trx) => callback(trx, ref));
        return message;
      });
    };

  /** Starts one run even if the form is sent twice, because a run costs credits. */
  const run: RequestHandler = async (req, res) => {
    const { accountId, monitorId } = await findMonitor(context, req);
    const fingerprint = createHash('sha256').update(`run ${monitorId}`).digest();
    const key = createFormKey(accountId, getForm(req), fingerprint);
    await redirectAfter(req, res, async () => {
      await runOnce(context, getAuthorization(req), key, {
        prepare: () => prepareManualRun(deps, { accountId, monitorId }),
        run: (trx, prepared) => startManualRun(trx, deps, prepared),
        toReply: (started) => ({ status: 202, body: { run_id: started.runId } }),
      });
      return 'Run started. Changes appear here when it ends.';
    });
  };

  const remove: RequestHandler = async (req, res) => {
    const ref = await findMonitor(context, req);
    await inOpenAccount(context.db, getAuthorization(req), (trx) => deleteMonitor(trx, ref));
    setFlash(context, res, { tone: 'good', text: 'Monitor deleted. Its batches remain.' });
    res.redirect(303, '/monitors');
  };

  /** Changes name, schedule, alerts and sitemap. The form is validated like a PATCH request of the API. */
  const change: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const form = getForm(req);
    await redirectAfter(req, res, async () => {
      const read = await readMonitorChange(context, monitor.type, toPatch(form, monitor));
      const leavesSitemap =
        monitor.sitemapUrl !== null && form.all('sitemap_url').length > 0 && !form.text('sitemap_url');
      const kept = leavesSitemap ? await subjects.listCurrent(context.db, monitor) : null;
      const { sitemapUrl } = read.list;
      const listed = sitemapUrl === null ? null : await readSitemap(context, monitor.accountId, sitemapUrl);
      const inputs = listed ?? kept?.map(({ input }) => input) ?? null;
      const edit: MonitorEdit = {
        inputs,
        tokenId: null,
        toTerms: (known) => mergeTerms(read, inputs, known),
      };
      await inOpenAccount(context.db, getAuthorization(req), (trx) =>
        changeMonitor(trx, context, monitor, edit),
      );
      return 'Saved. The changes apply from the next run.';
    });
  };

  /** Describes what the monitor would do with the form's fields, while the user changes them. */
  const showPlan: RequestHandler = async (req, res) => {
    await checkRight(context.db, getAuthorization(req));
    const monitor = await findMonitor(context, req);
    const data = await describeForm(getForm(req), monitor);
    showFragment(context, req, res, { view: 'monitor-plan', data });
  };

  async function describeForm(form: Form, monitor: MonitorRow) {
    try {
      const read = await readMonitorChange(context, monitor.type, toPatch(form, monitor));
      const now = await clock(context.db);
      const planned = { ...monitor, ...mergeTerms(read, null, monitor) };
      return { plan: describePlan(planned, { now, mail: context.mail }), problem: null };
    } catch (error) {
      return { plan: null, problem: toRefusal(error, { labels }).message };
    }
  }

  async function redirectAfter(req: Request, res: Response, action: () => Promise<string>): Promise<void> {
    await flashResult(context, res, action, { labels });
    res.redirect(303, `/monitors/${req.params.monitor_id}`);
  }

  return {
    pause: formFor(pauseMonitor, 'Monitor paused. Nothing is checked until you resume it.'),
    resume: formFor(resumeMonitor, 'Monitor resumed.'),
    run,
    remove,
    change,
    showPlan,
  };
}

/** Labels of the form's fields, by path in the API. */
const labels = {
  name: 'Name',
  sitemap_url: 'Sitemap',
  'schedule.at': 'At',
  'schedule.on': 'Days of the month',
  'schedule.timezone': 'Time zone',
  'notify.webhook_url': 'Webhook',
  rank_threshold: 'Minimum rank change',
};

function toPatch(form: Form, monitor: MonitorRow): object {
  const every = form.text('every');
  const days = every === 'week' ? form.all('weekday') : every === 'month' ? monthDays(form.text('days')) : [];
  return {
    name: form.text('name'),
    schedule: {
      every,
      at: form.text('at') || null,
      ...(days.length > 0 ? { on: days } : {}),
      timezone: form.text('timezone') || 'UTC',
    },
    notify: {
      when: form.text('when'),
      webhook_url: form.text('webhook_url') || null,
      email: form.text('email') === 'yes',
    },
    confirm_losses: form.text('confirm_losses') === 'yes',
    ...(monitor.type === 'keyword' ? { rank_threshold: Number(form.text('rank_threshold')) } : {}),
    ...sitemapIn(form, monitor),
  };
}

/** Returns the form's sitemap if it differs from the monitor's. */
function sitemapIn(form: Form, { sitemapUrl }: MonitorRow): { sitemap_url?: string } {
  const named = form.text('sitemap_url');
  return named !== '' && named !== sitemapUrl ? { sitemap_url: named } : {};
}

/** Parses `1, 15, last`. Throws a 422 for other words. */
function monthDays(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const day = word === 'last' ? -1 : Number(word);
      if (day === -1 || (Number.isInteger(day) && day >= 1 && day <= 31)) return day;
      throw new Refusal(422, 'Days of the month: Use numbers from 1 to 31, or last for the last day.');
    });
}
