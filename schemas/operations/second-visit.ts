import { BatchAccepted } from '../batch.ts';
import { BatchAnswer } from '../results.ts';
import { AgainRequest, RenameRequest } from '../second-visit.ts';
import * as examples from './examples.ts';
import { json, type Operation } from './operation.ts';
import { batchId } from './parameters.ts';

export const secondVisitOperations: Operation[] = [
  {
    id: 'checkBatchAgain',
    method: 'post',
    path: '/api/v1/batch/{batch_id}/again',
    tag: 'Batches',
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
