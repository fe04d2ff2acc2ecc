import type { Request, RequestHandler } from 'express';
import { type CheckAgainOptions, prepareCheckAgain as readAgainBatches } from '../../batches/check-again.ts';
import { batchNotFound } from '../../batches/errors.ts';
import * as batches from '../../db/batches/batches.ts';
import { getFilters, type ResultFilter } from '../../db/batches/results.ts';
import { AgainRequest, RenameRequest } from '../../schemas/batch-actions.ts';
import { batchBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { FieldErrorCollector, validationError } from '../http/errors.ts';
import { answerOnce } from '../http/idempotency.ts';
import { createEntryValidator, createValidator } from '../http/validate.ts';
import { unknownFieldWarnings } from '../http/warnings.ts';
import { closeSignal } from '../limits/slots.ts';
import { answerAccepted } from './accepted.ts';
import { getBatchRef } from './batch-ref.ts';
import { getRequestDeps } from './request-deps.ts';

const readAgain = createValidator(AgainRequest, { lists: ['request_ids'] });
const findIdFaults = createEntryValidator(AgainRequest.properties.request_ids.items);
const readRename = createValidator(RenameRequest);

export function checkAgainRoutes(context: Context) {
  const { db, config } = context;

  const checkBatchAgain: RequestHandler = async (req, res) => {
    const ref = getBatchRef(req);
    const read = async () =>
      readAgainBatches(getRequestDeps(context, req), [ref], await readSelection(ref, req));
    const accept = () => answerAccepted(context, req, res, read);
    await context.longQueries.run(ref.accountId, accept, { signal: closeSignal(res) });
  };

  const renameBatch: RequestHandler = async (req, res) => {
    const ref = getBatchRef(req);
    await answerOnce(context, req, res, {
      run: async (trx) => {
        if (!(await batches.find(trx, ref))) throw batchNotFound();
        await batches.rename(trx, ref, readRename(req.body).name);
        return (await batches.find(trx, ref)) as batches.BatchRow;
      },
      toBody: (batch) => batchBody(batch, config.retention.days),
    });
  };

  async function readSelection(ref: batches.BatchRef, req: Request): Promise<CheckAgainOptions> {
    const batch = await batches.find(db, ref);
    if (!batch) throw batchNotFound();
    const { type, show, q: search, request_ids: requestIds } = readChoice(req.body ?? {});
    // An unknown field is an error here, because it may be a misspelled filter. Without the filter, the whole batch
    // would be checked and charged.
    const unknown = unknownFieldWarnings(req);
    if (unknown.length > 0) throw validationError({ body: unknown });
    const selection = {
      ...(show === undefined ? {} : { show: readFilter(batch, show) }),
      ...(search === undefined ? {} : { search: search.trim() }),
      ...(requestIds ? { requestIds } : {}),
    };
    return { ...(type ? { type } : {}), selection };
  }

  return { checkBatchAgain, renameBatch };
}

function readChoice(body: object): Partial<AgainRequest> {
  const faults = new FieldErrorCollector();
  const choice = readAgain.collect(body, faults);
  for (const [index, id] of (choice.request_ids ?? []).entries()) {
    faults.add(findIdFaults(id, `request_ids.${index}`));
  }
  faults.throwIfAny();
  return choice;
}

function readFilter({ type }: batches.BatchRow, show: string): ResultFilter {
  const words = getFilters(type);
  const word = words.find((known) => known === show);
  if (!word) throw validationError({ show: [`Must be one of ${words.join(', ')}.`] });
  return word;
}
