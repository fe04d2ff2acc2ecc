import { BatchAccepted, HttpStatusBulkRequest, IndexBulkRequest } from '../batch.ts';
import { IndexCheckRequest, IndexResult } from '../check.ts';
import { HttpStatusRequest, HttpStatusResult } from '../http-status.ts';
import { KeywordRequest, RankResult } from '../keyword.ts';
import { EarlierCheck } from '../results.ts';
import * as examples from './examples.ts';
import { json, type Operation } from './operation.ts';
import { requestId } from './parameters.ts';

const queued = json(
  'Queued; ask for the batch at `poll_url`, or wait for the webhook.',
  BatchAccepted,
  { queued: examples.accepted },
  ['Location', 'Retry-After', 'Idempotent-Replayed'],
);

const urls = ['https://example.com/', 'https://example.com/shoes'];

export const checkOperations: Operation[] = [
  {
    id: 'checkIndex',
    method: 'post',
    path: '/api/v1/check',
    tag: 'Index checks',
    summary: 'Check whether a URL is in Google',
    description:
      'Answers within 25 seconds. A no needs two genuine result pages: what could not be read is a 503, never a no.',
    body: { schema: IndexCheckRequest, examples: { url: { url: urls[1] } } },
    answers: {
      200: json(
        'The verdict.',
        IndexResult,
        { indexed: examples.indexResult, 'not indexed': examples.notIndexed },
        ['Idempotent-Replayed'],
      ),
    },
    errors: [402],
  },
  {
    id: 'checkIndexBulk',
    method: 'post',
    path: '/api/v1/check/bulk',
    tag: 'Index checks',
    summary: 'Check up to 2,000 URLs in the background',
    description: 'Charges 1 credit per URL at once; what fails is refunded.',
    body: { schema: IndexBulkRequest, examples: { urls: { urls, reference: 'october-crawl' } } },
    answers: { 202: queued },
    errors: [402],
  },
  {
    id: 'checkHttpStatus',
    method: 'post',
    path: '/api/v1/http-status',
    tag: 'HTTP status checks',
    summary: 'Fetch a URL and tell what it really answers',
    description:
      'Answers within 25 seconds. A dead domain or silence is an answer too: `status` is 0 and `error` says why.',
    body: {
      schema: HttpStatusRequest,
      examples: {
        url: { url: 'https://example.com/old' },
        'first answer': { url: urls[0], follow_redirects: false },
      },
    },
    answers: {
      200: json(
        'What was found.',
        HttpStatusResult,
        { 'soft 404': examples.httpResult, dead: examples.deadDomain },
        ['Idempotent-Replayed'],
      ),
    },
    errors: [402],
  },
  {
    id: 'checkHttpStatusBulk',
    method: 'post',
    path: '/api/v1/http-status/bulk',
    tag: 'HTTP status checks',
    summary: 'Fetch up to 2,000 URLs in the background',
    description: 'Charges 1 credit per URL at once; what fails is refunded.',
    body: {
      schema: HttpStatusBulkRequest,
      examples: { urls: { urls, webhook_url: 'https://example.com/hooks/sonde', dedupe: true } },
    },
    answers: { 202: queued },
    errors: [402],
  },
  {
    id: 'trackKeywords',
    method: 'post',
    path: '/api/v1/keyword-track',
    tag: 'Keyword ranks',
    summary: 'Find a site among the results for keywords',
    description:
      'One query is answered at once with 200, two or more are queued with 202. ' +
      '`rank` counts different organic results from the top of page 1; ads and boxes do not count.',
    body: {
      schema: KeywordRequest,
      examples: {
        one: { queries: [{ url: 'example.com', keyword: 'running shoes' }] },
        more: {
          queries: [
            { url: 'example.com', keyword: 'running shoes', country: 'GB', end_page: 3 },
            { url: 'example.com', keyword: 'trail shoes', brd_mobile: true },
          ],
        },
      },
    },
    answers: {
      200: json(
        'One query: the rank.',
        RankResult,
        { found: examples.rankResult, 'not found': examples.notRanked },
        ['Idempotent-Replayed'],
      ),
      202: queued,
    },
    errors: [402],
  },
  {
    id: 'getCheck',
    method: 'get',
    path: '/api/v1/checks/{request_id}',
    tag: 'Batches',
    summary: 'Get an earlier answer again',
    description: 'Of a single check, also when the connection was lost meanwhile, or of an item of a batch.',
    parameters: [requestId],
    answers: {
      200: json('The answer.', EarlierCheck, { earlier: examples.earlierCheck }),
    },
    errors: [409],
  },
];
