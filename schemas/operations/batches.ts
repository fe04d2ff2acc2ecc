import { BatchAccepted, batchStatuses } from '../batch.ts';
import { checkTypeNames } from '../check-types.ts';
import { BatchList, BatchResponse } from '../results.ts';
import * as examples from './examples.ts';
import { fileResponse, jsonResponse, listResponse, tableOperations, withTag } from './operation.ts';
import {
  enumParameter,
  ifNoneMatch,
  include,
  paging,
  resultFilters,
  submissionId,
  textParameter,
  wait,
} from './parameters.ts';

export const batchOperations = withTag('Batches', [
  {
    id: 'getBatch',
    method: 'get',
    path: '/api/v1/batch/{batch_id}',
    summary: 'Get progress and results of a batch',
    description:
      'Poll every few seconds, or use `wait`, until `completed_at` is set. The response then has `results`.',
    parameters: [
      enumParameter('results', ['partial', 'none'], '`partial`: results so far. `none`: no results.'),
      include,
      wait,
      ifNoneMatch,
    ],
    answers: {
      ...jsonResponse(
        'The batch.',
        BatchResponse,
        { ended: examples.batch, running: examples.runningBatch },
        { headers: ['Retry-After', 'ETag'] },
      ),
      304: { description: 'The batch has not changed since the `ETag`.', headers: ['ETag'] },
    },
  },
  ...tableOperations({
    id: 'getResults',
    path: '/api/v1/batch/{batch_id}/results',
    summary: 'Get the results',
    columns:
      'The columns depend on the type. Each competitor has a column with its rank, `not_ranked` or `not_searched`. If there ' +
      'are more than 50 competitors, the others share one column.',
    parameters: [enumParameter('results', ['partial'], 'Results so far.'), ...resultFilters, include],
    example: examples.csv,
    errors: [409, 410],
  }),
  {
    id: 'getResultsNdjson',
    method: 'get',
    path: '/api/v1/batch/{batch_id}/results.ndjson',
    summary: 'Get the results as NDJSON',
    description: 'One result per line, with the fields of `results` in the batch.',
    parameters: [enumParameter('results', ['partial'], 'Results so far.'), ...resultFilters, include],
    answers: fileResponse('The results.', 'application/x-ndjson', examples.ndjson),
    errors: [409, 410],
  },
  {
    id: 'listBatches',
    method: 'get',
    path: '/api/v1/batches',
    summary: 'List batches',
    description: 'Newest first, without results.',
    parameters: [
      enumParameter('type', checkTypeNames, 'Only batches of this type.'),
      enumParameter('status', batchStatuses, 'Only batches in this state.'),
      submissionId,
      textParameter(
        'q',
        'Only batches with this text in the name or reference (searched in the latest 10,000), or in a URL or keyword ' +
          '(searched in the latest 100).',
        'october',
      ),
      ...paging,
    ],
    answers: listResponse('A page of batches.', BatchList, examples.batchRow),
  },
  {
    id: 'cancelBatch',
    method: 'post',
    path: '/api/v1/batch/{batch_id}/cancel',
    summary: 'Cancel a batch',
    description:
      'Remaining checks fail as `canceled` and are refunded. The webhook is sent. A batch that has ended does not ' +
      'change. If your allowance is used up, the response is 429 `allowance_exhausted` and the batch continues.',
    answers: jsonResponse('The canceled batch, without results.', BatchResponse, {
      canceled: examples.canceledBatch,
    }),
  },
  {
    id: 'retryBatch',
    method: 'post',
    path: '/api/v1/batch/{batch_id}/retry',
    isCharged: true,
    summary: 'Retry failed items',
    description:
      'Creates a new batch from the failed items, but not from items with `invalid_url`. Options and price per item stay ' +
      'the same. Possible once per batch, after the batch has ended.',
    answers: jsonResponse(
      'The new batch is queued.',
      BatchAccepted,
      { queued: { ...examples.accepted, total: 1, retry_of: examples.batchRow.batch_id } },
      { status: 202, headers: ['Location', 'Retry-After'] },
    ),
    errors: [402, 410],
  },
]);
