import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as annotations from '../../../db/monitors/annotations.ts';
import type { MonitorRef } from '../../../db/monitors/monitors.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { addAnnotation, removeAnnotation } from '../../../monitors/annotations.ts';
import { parseId } from '../../../schemas/id.ts';
import { readAnnotation } from '../../api/annotations.ts';
import { runOnce } from '../../http/idempotency.ts';
import type { Mark } from '../charts.ts';
import type { DashboardContext } from '../context.ts';
import { flashResult } from '../flash.ts';
import { getForm } from '../forms.ts';
import { createFormKey } from '../intake/submit-check.ts';
import { getAuthorization } from '../visitors.ts';
import { findMonitor } from './find-monitor.ts';

/** With more notes, their marks would overlap in a chart. */
const shownMax = 50;

/** Lists the notes of a monitor, newest first. */
export function listNotes(db: Db, ref: MonitorRef): Promise<annotations.AnnotationRow[]> {
  return annotations.list(db, ref, { limit: shownMax });
}

export function toMark({ at, text }: annotations.AnnotationRow): Mark {
  return { at, words: text };
}

export function annotationPages(context: DashboardContext) {
  const add: RequestHandler = async (req, res) => {
    const { accountId, monitorId } = await findMonitor(context, req);
    const form = getForm(req);
    await redirectAfter(req, res, async () => {
      const annotation = readAnnotation({ at: form.text('at') || undefined, text: form.text('text') });
      const fingerprint = createHash('sha256')
        .update(JSON.stringify([monitorId, annotation]))
        .digest();
      const key = createFormKey(accountId, form, fingerprint);
      await runOnce(context, getAuthorization(req), key, {
        run: (trx) => addAnnotation(trx, { accountId, monitorId }, annotation),
        toReply: ({ annotationId }) => ({ status: 201, body: { annotation_id: annotationId } }),
      });
      return 'Note added.';
    });
  };

  const remove: RequestHandler = async (req, res) => {
    const ref = await findMonitor(context, req);
    const id = parseId(req.params.annotation_id) ?? 0;
    await redirectAfter(req, res, async () => {
      await inOpenAccount(context.db, getAuthorization(req), (trx) => removeAnnotation(trx, ref, id));
      return 'Note deleted.';
    });
  };

  async function redirectAfter(req: Request, res: Response, action: () => Promise<string>): Promise<void> {
    await flashResult(context, res, action, { labels: { at: 'Day', text: 'Note' } });
    const subjectId = parseId(getForm(req).text('subject'));
    const below = subjectId ? `/subjects/${subjectId}` : '';
    res.redirect(303, `/monitors/${req.params.monitor_id}${below}#notes`);
  }

  return { add, remove };
}
