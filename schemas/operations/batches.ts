import { BatchAccepted, batchStatuses } from '../batch.ts';
import { checkTypeNames } from '../check-types.ts';
import { BatchAnswer, BatchList } from '../results.ts';
import * as examples from './examples.ts';
import { file, json, type Operation } from './operation.ts';
import {
  batchId,
  ifNoneMatch,
  include,
  paging,
  selection,
  submissionId,
  text,
  wait,
  word,
} from './parameters.ts';

export const batchOperations: Operation[] = [
  {
    id: 'getBatch',
    method: 'get',
    path: '/api/v1/batch/{batch_id}',
    tag: 'Batches',
    summary: 'Get progress and results of a batch',
    description:
      'Poll every few seconds until `completed_at` is set, or let the request wait; `results` are there from then on.',
    parameters: [
      batchId,
      word('results', ['partial', 'none'], '`partial`: what is settled so far; `none`: leave them out.'),
      include,
      wait,
      ifNoneMatch,
    ],
    answers: {
      200: json('The batch.', BatchAnswer, { ended: examples.batch, running: examples.runningBatch }, [
        'Retry-After',
        'ETag',
      ]),
      304: { description: 'Nothing has changed since the `ETag` sent along.', headers: ['ETag'] },
    },
  },
  {
    id: 'getResultsCsv',
    method: 'get',
    path: '/api/v1/batch/{batch_id}/results.csv',
    tag: 'Batches',
    summary: 'Get the results as a table',
    description: 'For spreadsheets: a header, then one line per result; the columns differ by type.',
    parameters: [batchId, word('results', ['partial'], 'What is settled so far.'), ...selection, include],
    answers: { 200: file('The table.', 'text/csv', examples.csv) },
    errors: [409, 410],
  },
  {
    id: 'getResultsXlsx',
    method: 'get',
    path: '/api/v1/batch/{batch_id}/results.xlsx',
    tag: 'Batches',
    summary: 'Get the results as a workbook',
    description: 'The table of `results.csv` as a spreadsheet of one sheet; every cell is text.',
    parameters: [batchId, word('results', ['partial'], 'What is settled so far.'), ...selection, include],
    answers: {
      200: file(
        'The workbook.',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'A zip of XML, as ECMA-376 has it.',
      ),
    },
    errors: [409, 410],
  },
  {
    id: 'getResultsNdjson',
    method: 'get',
    path: '/api/v1/batch/{batch_id}/results.ndjson',
    tag: 'Batches',
    summary: 'Get the results line by line',
    description: 'One result to the line, as in `results` of the batch: to be read as it arrives.',
    parameters: [batchId, word('results', ['partial'], 'What is settled so far.'), ...selection, include],
    answers: { 200: file('The results.', 'application/x-ndjson', examples.ndjson) },
    errors: [409, 410],
  },
  {
    id: 'listBatches',
    method: 'get',
    path: '/api/v1/batches',
    tag: 'Batches',
    summary: 'List batches',
    description: 'Newest first, without results.',
    parameters: [
      word('type', checkTypeNames, 'Only batches of this type.'),
      word('status', batchStatuses, 'Only batches in this state.'),
      submissionId,
      text(
        'q',
        'Only batches with this text in their name or reference, looked for in the latest 10,000, or in an address ' +
          'or keyword of theirs, looked for in the latest 100.',
        'october',
      ),
      ...paging,
    ],
    answers: {
      200: json('A page of batches.', BatchList, { page: examples.listOf(examples.batchRow) }, ['Link']),
    },
  },
  {
    id: 'cancelBatch',
    method: 'post',
    path: '/api/v1/batch/{batch_id}/cancel',
    tag: 'Batches',
    summary: 'Cancel a batch',
    description:
      'What is not settled yet fails as `canceled` and is refunded; the webhook is sent. A batch that has ended stays as ' +
      'it is. Refused with 429 `allowance_exhausted` while nothing is left of the allowance; the batch then goes on.',
    parameters: [batchId],
    answers: {
      200: json(
        'The batch as it now is, without results.',
        BatchAnswer,
        { canceled: examples.canceledBatch },
        ['Idempotent-Replayed'],
      ),
    },
  },
  {
    id: 'retryBatch',
    method: 'post',
    path: '/api/v1/batch/{batch_id}/retry',
    tag: 'Batches',
    isCharged: true,
    summary: 'Try failed items again',
    description:
      'A new batch of the items that failed on our side, with the same options, 1 credit each. Once per batch, after it has ended.',
    parameters: [batchId],
    answers: {
      202: json(
        'Queued as a new batch.',
        BatchAccepted,
        { queued: { ...examples.accepted, total: 1, retry_of: examples.batchRow.batch_id } },
        ['Location', 'Retry-After', 'Idempotent-Replayed'],
      ),
    },
    errors: [402, 410],
  },
];
