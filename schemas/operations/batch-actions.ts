import { BatchAccepted } from '../batch.ts';
import { AgainRequest, RenameRequest } from '../batch-actions.ts';
import { Comparison, changes } from '../comparison.ts';
import { BatchResponse } from '../results.ts';
import * as examples from './examples.ts';
import { jsonResponse, type Parameter, tableOperations, withTag } from './operation.ts';
import { enumParameter, paging, textParameter } from './parameters.ts';

const comparedWith: Parameter = {
  in: 'query',
  name: 'with',
  description:
    'The earlier batch. Default: the batch whose inputs this batch checks again. Otherwise: the latest earlier batch with ' +
    'the same type and name.',
  schema: { type: 'string', format: 'uuid' },
};

export const batchActionOperations = withTag('Batches', [
  {
    id: 'checkBatchAgain',
    method: 'post',
    path: '/api/v1/batch/{batch_id}/again',
    isCharged: true,
    summary: 'Check a batch again',
    description:
      'Creates a new batch from inputs of an ended batch. The new checks cost as much as any check. You can send this ' +
      'request several times. `type` can be another type, for example to check whether dead URLs are indexed.',
    body: {
      schema: AgainRequest,
      isOptional: true,
      examples: {
        all: {},
        'what is dead': { show: 'dead' },
        'the index of some': { type: 'index', q: '/shoes' },
      },
    },
    answers: jsonResponse(
      'The new batch is queued.',
      BatchAccepted,
      { queued: { ...examples.accepted, again_of: examples.batchRow.batch_id } },
      { status: 202, headers: ['Location', 'Retry-After'] },
    ),
    errors: [402, 410],
  },
  {
    id: 'compareBatch',
    method: 'get',
    path: '/api/v1/batch/{batch_id}/comparison',
    summary: 'Compare a batch with an earlier one',
    description:
      'Shows which inputs broke, were fixed, changed, or are in only one batch. `broken`: good in the earlier batch and ' +
      'bad now. Bad answers: a 4xx, a 5xx, no HTTP response, a soft 404, not indexed, not ranked. `unknown`: without an ' +
      'answer in one of the batches.',
    parameters: [
      comparedWith,
      enumParameter('change', changes, 'Inputs to list; default `broken`.'),
      ...paging.filter(({ name }) => name !== 'cursor'),
    ],
    answers: jsonResponse('The comparison.', Comparison, {
      broken: {
        success: true,
        batch_id: examples.batchRow.batch_id,
        compared_with: '3d5c1b0a-7a53-4a0e-8f57-2f9a4a1f6c11',
        counts: { broken: 1, fixed: 0, changed: 0, added: 0, gone: 0, unknown: 0, same: 41 },
        change: 'broken',
        data: [{ now: examples.httpItem, before: { ...examples.httpItem, is_soft404: false } }],
        current_page: 1,
        per_page: 20,
        total: 1,
        last_page: 1,
      },
    }),
    errors: [409, 410],
  },
  ...tableOperations({
    id: 'compareBatch',
    path: '/api/v1/batch/{batch_id}/comparison',
    summary: 'Compare a batch with an earlier one',
    columns: 'All inputs of both batches, each with its change and both answers.',
    parameters: [
      comparedWith,
      enumParameter('change', changes, 'Only inputs with this change.'),
      textParameter('q', 'Only inputs with this text. Ignores case.', '/shoes'),
    ],
    example: 'change,url,status_before,status_now\nbroken,https://example.com/shoes,200,404\n',
    errors: [409, 410],
  }),
  {
    id: 'renameBatch',
    method: 'post',
    path: '/api/v1/batch/{batch_id}/rename',
    summary: 'Rename a batch',
    description: 'The dashboard and file names show the name. `reference` does not change.',
    body: { schema: RenameRequest, examples: { named: { name: 'October crawl' } } },
    answers: jsonResponse('The renamed batch, without results.', BatchResponse, {
      named: { success: true, ...examples.batchRow, name: 'October crawl' },
    }),
  },
]);
