import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { toSite } from '../../../checks/search/target.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as annotations from '../../../db/monitors/annotations.ts';
import type { MonitorRef, MonitorRow } from '../../../db/monitors/monitors.ts';
import { listTargets } from '../../../db/monitors/rank-sites.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { addAnnotation, removeAnnotation } from '../../../monitors/annotations.ts';
import { parseId } from '../../../schemas/id.ts';
import { readAnnotation } from '../../api/annotations.ts';
import { dayMs } from '../../api/date-times.ts';
import { runOnce } from '../../http/idempotency.ts';
import type { Mark } from '../charts.ts';
import type { DashboardContext } from '../context.ts';
import { flashResult } from '../flash.ts';
import { getForm } from '../forms.ts';
import { createFormKey } from '../intake/submit-check.ts';
import { getAuthorization } from '../visitors.ts';
import { findMonitor } from './find-monitor.ts';

/** Maximum number of notes on a page. The marks of more notes would overlap in a chart. */
const shownMax = 50;

/** A note as pages show it. */
interface NoteView extends annotations.AnnotationRow {
  isDay: boolean;
}

/**
 * Lists the notes of a monitor, newest first, and the sites of its keywords. The charts of all these sites show the
 * notes.
 */
export async function findNotes(
  db: Db,
  ref: MonitorRef & Pick<MonitorRow, 'type'>,
): Promise<{ notes: NoteView[]; noteSites: string[] }> {
  const [notes, targets] = await Promise.all([
    annotations.list(db, ref.accountId, [ref.monitorId], { limit: shownMax }),
    ref.type === 'keyword' ? listTargets(db, ref.accountId, ref.monitorId) : [],
  ]);
  const sites = new Set(targets.filter(({ keywords }) => keywords > 0).map(({ target }) => toSite(target)));
  return { notes: notes.map((note) => ({ ...note, isDay: isDay(note.at) })), noteSites: [...sites].sort() };
}

export function toMark({ at, text }: annotations.AnnotationRow): Mark {
  return { at, words: text, isDay: isDay(at) };
}

/** True if a note is about a day. A date without a time is stored as midnight UTC. */
function isDay(at: Date): boolean {
  return at.getTime() % dayMs === 0;
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
