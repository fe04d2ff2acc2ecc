import type { Request, RequestHandler } from 'express';
import * as batches from '../../db/batches.ts';
import { batchBody } from '../../db/bodies.ts';
import { inTransaction } from '../../db/connect.ts';
import * as items from '../../db/items.ts';
import { batchStatuses, batchTypes } from '../../schemas/batch.ts';
import { callerOf } from '../authenticate.ts';
import { batchRefOf } from '../batch-ref.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { answerOnce } from '../idempotency.ts';
import { pageBody, readPage, readWord, totalMax } from '../pages.ts';
import { retryBatch } from '../retry-batch.ts';
import { streamResults } from '../stream-results.ts';

export function batchRoutes(context: Context) {
  const { db, boss, config } = context;
  const toBody = (row: batches.BatchRow) => batchBody(row, config.retention.days);

  const show: RequestHandler = async (req, res) => {
    const mode = readWord(req, 'results', ['partial', 'none']);
    const batch = await batches.find(db, refOf(req));
    if (!batch) throw noBatch();
    const head = { success: true, ...toBody(batch) };
    if (!batch.completedAt) res.set('Retry-After', '2');
    const isShown = mode !== 'none' && (batch.completedAt !== null || mode === 'partial');
    if (isShown && !batch.purgedAt) await streamResults(db, batch, head, res);
    else res.json(batch.purgedAt && isShown ? { ...head, results: null } : head);
  };

  const list: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const page = readPage(req);
    const filter = {
      type: readWord(req, 'type', batchTypes),
      status: readWord(req, 'status', batchStatuses),
    };
    const total = await batches.count(db, accountId, filter, totalMax + 1);
    const rows = await batches.list(db, accountId, { ...filter, limit: page.perPage, offset: page.offset });
    res.json(pageBody(config, req, page, { data: rows.map(toBody), total }));
  };

  const cancel: RequestHandler = async (req, res) => {
    const ref = refOf(req);
    await answerOnce(context, req, res, async (key) => {
      const batch = await inTransaction(db, async (trx) => {
        await key.claim(trx);
        if ((await items.cancel(trx, boss, ref)) === null) throw noBatch();
        const canceled = await batches.lock(trx, ref);
        if (!canceled) throw noBatch();
        const reply = { status: 200, body: { success: true, ...toBody(canceled) } };
        await key.keep(trx, { batchId: ref.batchId, reply });
        return reply;
      });
      return batch;
    });
  };

  const retry: RequestHandler = async (req, res) => {
    const ref = refOf(req);
    await answerOnce(context, req, res, async (key) => {
      const reply = await retryBatch(context, ref, key);
      if (!reply) throw noBatch();
      return reply;
    });
  };

  return { show, list, cancel, retry };
}

function refOf(req: Request): batches.BatchRef {
  const ref = batchRefOf(req);
  if (!ref) throw noBatch();
  return ref;
}

function noBatch() {
  return notFound('No batch with this id in your account. GET /api/v1/batches lists them.');
}
