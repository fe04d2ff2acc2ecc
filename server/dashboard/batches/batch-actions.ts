import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { AcceptedBatch } from '../../../batches/accept.ts';
import { type CheckAgainOptions, prepareCheckAgain } from '../../../batches/check-again.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as batches from '../../../db/batches/batches.ts';
import { getFilters, type Selection } from '../../../db/batches/results.ts';
import { InsufficientCreditsError } from '../../../db/ledger/ledger.ts';
import { ApiError } from '../../../process/api-error.ts';
import { checkTypeNames } from '../../../schemas/check-types.ts';
import { acceptOnce } from '../../api/accepted.ts';
import { closeSignal } from '../../limits/slots.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { counted, grouped } from '../format.ts';
import { type Form, getForm } from '../forms.ts';
import { createFormKey, readFormName } from '../intake/submit-check.ts';
import { Refusal } from '../refusal.ts';
import { getAuthorization, getSession } from '../visitors.ts';
import { findBatch } from './find-batch.ts';
import { requireSubmission } from './submission.ts';

export function batchActionPages(context: DashboardContext) {
  const { db } = context;

  const again: RequestHandler = async (req, res) => {
    const batch = await findBatch(context, req);
    const form = getForm(req);
    const [word, which] = form.text('do').split('.');
    const type = checkTypeNames.find((name) => name === word);
    const selection = which === 'selected' ? readSelected(form) : readShown(form, batch);
    if (selection.requestIds?.length === 0) {
      setFlash(context, res, { tone: 'bad', text: 'Select at least one result. You were not charged.' });
      return res.redirect(303, `/batches/${batch.batchId}`);
    }
    await start(req, res, [batch], { ...(type ? { type } : {}), selection });
  };

  const submissionAgain: RequestHandler = async (req, res) => {
    await start(req, res, await requireSubmission(db, req), {});
  };

  /** Starts the check once, even if the form is sent twice. Redirects to the page of the new batch. */
  async function start(
    req: Request,
    res: Response,
    refs: batches.BatchRow[],
    choice: CheckAgainOptions,
  ): Promise<void> {
    const { accountId } = getSession(req);
    const what = JSON.stringify([refs.map(({ batchId }) => batchId), choice]);
    const fingerprint = createHash('sha256').update(what).digest();
    const key = createFormKey(accountId, getForm(req), fingerprint);
    try {
      const accept = () =>
        acceptOnce(context, context, getAuthorization(req), key, {
          read: () => prepareCheckAgain(context, refs, choice),
          toReply: (accepted) => ({ status: 202, body: { location: toLocation(accepted) } }),
        });
      const { reply } = await context.longQueries.run(accountId, accept, { signal: closeSignal(res) });
      res.redirect(303, JSON.parse(reply.body).location);
    } catch (error) {
      setFlash(context, res, { tone: 'bad', text: toMessage(error) });
      res.redirect(303, String(req.originalUrl).replace(/\/again$/, ''));
    }
  }

  const rename: RequestHandler = async (req, res) => {
    const { accountId, batchId } = await findBatch(context, req);
    const name = readFormName(getForm(req));
    await inOpenAccount(db, getAuthorization(req), (trx) =>
      batches.rename(trx, { accountId, batchId }, name),
    );
    res.redirect(303, `/batches/${batchId}`);
  };

  const submissionRename: RequestHandler = async (req, res) => {
    const rows = await requireSubmission(db, req);
    await inOpenAccount(db, getAuthorization(req), async (trx) => {
      for (const batch of rows) await batches.rename(trx, batch, readFormName(getForm(req)));
    });
    res.redirect(303, `/submissions/${rows[0]?.submissionId}`);
  };

  return { again, submissionAgain, rename, submissionRename };
}

function readSelected(form: Form): Selection {
  return { requestIds: form.all('request_id').map(Number).filter(Number.isSafeInteger) };
}

/** Returns the filter and search of the page. Rejects an unknown filter, because it would select all results. */
function readShown(form: Form, { type }: batches.BatchRow): Selection {
  const [word, search] = [form.text('show'), form.text('q')];
  const show = getFilters(type).find((filter) => filter === word);
  if (word !== '' && !show) throw new Refusal(422, 'This filter does not exist. You were not charged.');
  return { ...(show ? { show } : {}), ...(search ? { search } : {}) };
}

function toLocation(accepted: AcceptedBatch[]): string {
  const submissionId = accepted[0]?.request.submissionId;
  return accepted.length > 1 ? `/submissions/${submissionId}` : `/batches/${accepted[0]?.batchId}`;
}

function toMessage(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (!(error instanceof InsufficientCreditsError)) return error.message;
  const { needed, available } = error;
  const price = `This costs ${counted(needed, 'credit')}. Your balance is ${grouped(available)}.`;
  return `${price} You were not charged. Ask the operator for credits.`;
}
