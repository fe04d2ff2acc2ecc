import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { cancelBatch } from '../../batches/cancel.ts';
import { prepareRetry } from '../../batches/check-again.ts';
import { BatchEndWatcher } from '../../batches/end-watcher.ts';
import { batchNotFound } from '../../batches/errors.ts';
import { checkRight } from '../../db/accounts/open-account.ts';
import * as batchLists from '../../db/batches/batch-lists.ts';
import * as batches from '../../db/batches/batches.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { ApiError } from '../../process/api-error.ts';
import { FairLimit } from '../../process/fair-limit.ts';
import { batchStatuses } from '../../schemas/batch.ts';
import { checkTypeNames } from '../../schemas/check-types.ts';
import { batchBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { batchCursor } from '../http/cursors.ts';
import { type FieldErrors, validationError } from '../http/errors.ts';
import { answerIfUnchanged } from '../http/etag.ts';
import { answerOnce } from '../http/idempotency.ts';
import { getAuthorization } from '../http/permit.ts';
import { unknownParameterWarnings } from '../http/warnings.ts';
import { closeSignal } from '../limits/slots.ts';
import { answerAccepted } from './accepted.ts';
import { getBatchRef } from './batch-ref.ts';
import { searchBatches } from './batch-search.ts';
import { sendPage } from './lists.ts';
import { readEnum, readId, readInclude, readNumber, readSearch } from './parameters.ts';
import { streamResults, toJson } from './results/stream.ts';

export function batchRoutes(context: Context) {
  const { db, config } = context;
  const untilEnded = createBatchWatch(db);
  const toBody = (row: batches.BatchRow) => batchBody(row, config.retention.days);

  const getBatch: RequestHandler = async (req, res) => {
    const mode = readEnum(req, 'results', ['partial', 'none']);
    const include = readInclude(req);
    const batch = await findAfterWait(req, res);
    const head = { success: true, ...toBody(batch), ...unknownParameterWarnings(req) };
    if (!batch.completedAt) res.set('Retry-After', '2');
    const isShown = mode !== 'none' && (batch.completedAt !== null || mode === 'partial');
    const isPurged = batch.purgedAt !== null;
    if (answerIfUnchanged(req, res, [head, isShown, isPurged, include])) return;
    if (!isShown || isPurged) return void res.json(isShown ? { ...head, results: null } : head);
    res.type('application/json');
    await streamResults(context, batch, res, toJson(head), { include });
  };

  /** Returns the batch as soon as it has ended, or when the seconds of `wait` have passed. */
  async function findAfterWait(req: Request, res: Response): Promise<batches.BatchRow> {
    const waitMs = readWait(req) * 1000;
    const ref = getBatchRef(req);
    const batch = await batches.find(db, ref);
    if (!batch) throw batchNotFound();
    if (waitMs === 0 || batch.completedAt) return batch;
    const disconnect = closeSignal(res);
    const signals = [AbortSignal.timeout(waitMs), disconnect, context.closing];
    await untilEnded(ref, AbortSignal.any(signals));
    if (disconnect.aborted) return batch;
    // During the wait, the token may have been revoked, or the user removed.
    await checkRight(db, getAuthorization(req));
    return (await batches.find(db, ref)) ?? batch;
  }

  const listBatches: RequestHandler = async (req, res) => {
    const { accountId, isTest } = getCaller(req);
    const filter = {
      isTest,
      type: readEnum(req, 'type', checkTypeNames),
      status: readEnum(req, 'status', batchStatuses),
      submissionId: readId(req, 'submission_id'),
    };
    const wanted = { text: readSearch(req), isTest, signal: closeSignal(res) };
    await searchBatches(context, accountId, wanted, (search) =>
      sendPage(config, req, res, {
        cursor: batchCursor,
        count: (max) => batchLists.count(db, accountId, { ...filter, search }, max),
        list: (window) => batchLists.list(db, accountId, { ...filter, search, ...window }),
        toBody,
      }),
    );
  };

  const cancel: RequestHandler = async (req, res) => {
    const ref = getBatchRef(req);
    await answerOnce(context, req, res, {
      run: (trx) => cancelBatch(trx, context, ref),
      toBody,
    });
  };

  const retryBatch: RequestHandler = async (req, res) => {
    const ref = getBatchRef(req);
    await answerAccepted(context, req, res, async () => [await prepareRetry(db, ref)]);
  };

  return { getBatch, listBatches, cancelBatch: cancel, retryBatch };
}

/** Reads `wait` in seconds. Load balancers time out after 30 s, so the maximum is lower. */
function readWait(req: Request): number {
  const errors: FieldErrors = {};
  const seconds = readNumber(req, 'wait', { fallback: 0, min: 0, max: 25 }, errors);
  if (errors.wait) throw validationError(errors);
  return seconds;
}

const waitersPerAccountMax = 50;

/**
 * Lets requests wait for batches. The returned function resolves when the batch has ended or the signal is aborted. It
 * throws a 429 if too many requests of the account wait.
 */
function createBatchWatch(db: Db): (ref: batches.BatchRef, signal: AbortSignal) => Promise<void> {
  const watcher = new BatchEndWatcher(db);
  const waiting = new FairLimit({ total: Number.POSITIVE_INFINITY, perAccount: waitersPerAccountMax });
  return async (ref, signal) => {
    const slot = waiting.tryAcquire(ref.accountId);
    if (!slot) {
      const message = `${waitersPerAccountMax} requests of your account are already waiting. Omit \`wait\`, or set a \`webhook_url\`.`;
      throw new ApiError('too_many_waiting', message, { retryAfterSeconds: 2 });
    }
    const { ended, unwatch } = watcher.watch(ref);
    const either = AbortSignal.any([ended, signal]);
    if (!either.aborted) await once(either, 'abort');
    unwatch();
    slot.release();
  };
}
