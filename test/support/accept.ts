import {
  type AcceptDeps,
  type AcceptedBatch,
  acceptBatches,
  type BatchRequest,
  prepareBatches,
} from '../../batches/accept.ts';
import { inTransaction } from '../../db/postgres/connect.ts';

/** Accepts batches as a request does, without a check of rights. */
export async function accept(deps: AcceptDeps, requests: BatchRequest[]): Promise<AcceptedBatch[]> {
  const prepared = await prepareBatches(deps, requests);
  return inTransaction(deps.db, (trx) => acceptBatches(trx, deps, prepared));
}
