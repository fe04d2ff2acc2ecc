import { BatchAccepted } from '../batch.ts';
import { Comparison, changes } from '../comparison.ts';
import { BatchAnswer } from '../results.ts';
import { AgainRequest, RenameRequest } from '../second-visit.ts';
import * as examples from './examples.ts';
import { json, type Operation } from './operation.ts';
import { batchId, paging, word } from './parameters.ts';

export const secondVisitOperations: Operation[] = [
  {
    id: 'checkBatchAgain',
    method: 'post',
    path: '/api/v1/batch/{batch_id}/again',
    tag: 'Batches',
    isCharged: true,
    summary: 'Check a batch again, or some of it',
    description:
      'A new batch of the inputs of an ended one, as often as you like, 1 credit each: all of them, those with some ' +
      'results, or those named. Addresses can be checked for something else: the index of what is dead.',
    parameters: [batchId],
    body: {
      schema: AgainRequest,
      isOptional: true,
      examples: {
        all: {},
        'what is dead': { show: 'dead' },
        'the index of some': { type: 'index', q: '/shoes' },
      },
    },
    answers: {
      202: json(
        'Queued as a new batch.',
        BatchAccepted,
        { queued: { ...examples.accepted, again_of: examples.batchRow.batch_id } },
        ['Location', 'Retry-After', 'Idempotent-Replayed'],
      ),
    },
    errors: [402, 410],
  },
  {
    id: 'compareBatch',
    method: 'get',
    path: '/api/v1/batch/{batch_id}/comparison',
    tag: 'Batches',
    summary: 'Compare a batch with an earlier one',
    description:
      'What became of each input: newly broken, fixed, changed, asked on one side only. Bad news is a 4xx, a 5xx, no HTTP ' +
      'answer or a soft 404; not indexed; not ranked. What has no answer on one side is `unknown`.',
    parameters: [
      batchId,
      {
        in: 'query',
        name: 'with',
        description: 'The earlier batch; else the one that it repeats, or the last of its type and name.',
        schema: { type: 'string', format: 'uuid' },
      },
      word('change', changes, 'Which inputs to list; `broken` unless given.'),
      ...paging.filter(({ name }) => name !== 'cursor'),
    ],
    answers: {
      200: json('The comparison.', Comparison, {
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
    },
    errors: [409, 410],
  },
  {
    id: 'renameBatch',
    method: 'post',
    path: '/api/v1/batch/{batch_id}/rename',
    tag: 'Batches',
    summary: 'Name a batch',
    description: 'For people: in the dashboard, and in the names of files. `reference` stays what it was.',
    parameters: [batchId],
    body: { schema: RenameRequest, examples: { named: { name: 'October crawl' } } },
    answers: {
      200: json(
        'The batch as it now is, without results.',
        BatchAnswer,
        { named: { success: true, ...examples.batchRow, name: 'October crawl' } },
        ['Idempotent-Replayed'],
      ),
    },
  },
];
