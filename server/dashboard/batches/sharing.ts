import type { RequestHandler } from 'express';
import * as activity from '../../../db/accounts/activity.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as reportLinks from '../../../db/batches/report-links.ts';
import { parseId } from '../../../schemas/id.ts';
import { notFound } from '../../http/errors.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { getForm } from '../forms.ts';
import { Refusal } from '../refusal.ts';
import { getActor, getAuthorization, getSession } from '../visitors.ts';
import { findBatch } from './find-batch.ts';

/** Lifetimes of a link in days. The first lifetime is the default. */
export const linkDays = [30, 7, 90];

/** Links that show a batch's report without signing in. */
export function sharingPages(context: DashboardContext) {
  const { db, config } = context;

  const share: RequestHandler = async (req, res) => {
    const batch = await findBatch(context, req);
    const { accountId, batchId } = batch;
    const { userId } = getSession(req);
    const days = linkDays.find((choice) => String(choice) === getForm(req).text('days')) ?? linkDays[0] ?? 30;
    const key = await inOpenAccount(db, getAuthorization(req), async (trx) => {
      const made = await reportLinks.create(trx, { accountId, batchId, userId }, days);
      const about = batch.name ?? batchId;
      if (made) await activity.record(trx, { accountId, what: 'report_shared', by: getActor(req), about });
      return made;
    });
    const { linksMax } = reportLinks;
    if (!key) throw new Refusal(409, `You have reached the limit of ${linksMax} links. Revoke one first.`);
    logSecurityEvent(context, req, 'report_shared', { accountId });
    const secret = `${config.web.baseUrl}/report?key=${key}`;
    const text = `Link created. It works for ${days} days. Copy it below.`;
    setFlash(context, res, { tone: 'good', text, secret });
    res.redirect(303, `/batches/${batchId}#report`);
  };

  const revoke: RequestHandler = async (req, res) => {
    const { accountId, batchId, name } = await findBatch(context, req);
    const linkId = parseId(req.params.link_id);
    const isRevoked =
      linkId !== null &&
      (await inOpenAccount(db, getAuthorization(req), async (trx) => {
        if (!(await reportLinks.revoke(trx, { accountId, batchId }, linkId))) return false;
        const about = name ?? batchId;
        await activity.record(trx, { accountId, what: 'report_revoked', by: getActor(req), about });
        return true;
      }));
    if (!isRevoked) throw notFound('No link with this id in your account.');
    logSecurityEvent(context, req, 'report_revoked', { accountId });
    setFlash(context, res, { tone: 'good', text: 'Link revoked. It no longer works.' });
    res.redirect(303, `/batches/${batchId}#report`);
  };

  return { share, revoke };
}
