import type { Request } from 'express';
import * as batches from '../../../db/batches/batches.ts';
import { readBatchRef } from '../../api/batch-ref.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { getSession } from '../visitors.ts';

/** Returns the batch whose id is in the path. Throws a 404 if the account has no such batch. */
export async function findBatch(
  { db }: Pick<DashboardContext, 'db'>,
  req: Request,
): Promise<batches.BatchRow> {
  const missing = () => notFound('No batch with this id in your account.');
  const batch = await batches.find(db, readBatchRef(req, getSession(req).accountId, missing));
  if (!batch) throw missing();
  return batch;
}
