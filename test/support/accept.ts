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

/** Fields of a batch that is inserted without being accepted. */
export const plainBatch = {
  ...{ type: 'http' as const, isTest: false, skipped: 0, overviews: 0, duplicates: 0, options: {} },
  ...{ reference: null, name: null, webhookUrl: null, submissionId: null, retryOf: null, againOf: null },
  ...{ monitorId: null, runId: null, tokenId: null },
};
