import type { RequestHandler } from 'express';
import { checkAgain } from '../../batches/check-again.ts';
import { noBatch } from '../../batches/refusals.ts';
import type { Act } from '../../db/act.ts';
import * as batches from '../../db/batches.ts';
import { filtersOf, type Selection } from '../../db/results.ts';
import { AgainRequest, RenameRequest } from '../../schemas/second-visit.ts';
import { batchBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { validationError } from '../http/errors.ts';
import { once } from '../http/once.ts';
import { validatorFor } from '../http/validate.ts';
import { answerAccepted } from './accepted.ts';
import { batchRefOf } from './batch-ref.ts';

const readAgain = validatorFor(AgainRequest, { list: 'request_ids' });
const readRename = validatorFor(RenameRequest);

/** What is done with a batch that has ended: its inputs are checked again, and it gets a name. */
export function secondVisitRoutes(context: Context) {
  const { db, config } = context;

  const again: RequestHandler = async (req, res) => {
    const ref = batchRefOf(req);
    const body = readAgain(req.body ?? {});
    const selection = await selectionOf(ref, body);
    const all = checkAgain(context, [ref], { ...(body.type ? { type: body.type } : {}), selection });
    const act = {
      before: all.before,
      perform: async (trx) => {
        const [accepted] = await all.perform(trx);
        if (!accepted) throw new Error('an act that was not refused has accepted a batch');
        return accepted;
      },
    } satisfies Act<unknown>;
    await answerAccepted(context, req, res, act);
  };

  const rename: RequestHandler = async (req, res) => {
    const { name } = readRename(req.body);
    const ref = batchRefOf(req);
    const act: Act<batches.BatchRow> = {
      perform: async (trx) => {
        await batches.rename(trx, ref, name);
        const batch = await batches.find(trx, ref);
        if (!batch) throw noBatch();
        return batch;
      },
    };
    await once(context, req, res, act, (batch) => ({
      status: 200,
      body: { success: true, ...batchBody(batch, config.retention.days) },
    }));
  };

  async function selectionOf(ref: batches.BatchRef, body: AgainRequest): Promise<Selection> {
    const { show, q: search, request_ids: requestIds } = body;
    const word = show === undefined ? undefined : await wordOf(ref, show);
    return {
      ...(word ? { show: word } : {}),
      ...(search ? { search } : {}),
      ...(requestIds ? { requestIds } : {}),
    };
  }

  /** Which words there are depends on the batch. */
  async function wordOf(ref: batches.BatchRef, show: string) {
    const batch = await batches.find(db, ref);
    if (!batch) throw noBatch();
    const words = filtersOf(batch.type);
    const word = words.find((known) => known === show);
    if (!word) throw validationError({ show: [`Must be one of ${words.join(', ')}.`] });
    return word;
  }

  return { again, rename };
}
