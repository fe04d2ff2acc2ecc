import { BatchAccepted } from '../batch.ts';
import { getCheckType, type UrlCheckType } from '../check-types.ts';
import { KeywordRequest } from '../keyword.ts';
import { LocationList } from '../location.ts';
import { EarlierCheck, resultSchemas } from '../results.ts';
import { urlCheckTypes, urlRequests } from '../url-requests.ts';
import * as examples from './examples.ts';
import { jsonResponse, type Operation } from './operation.ts';
import { include, textParameter } from './parameters.ts';

const queued = jsonResponse(
  'The batch is queued. Poll `poll_url`, or wait for the webhook.',
  BatchAccepted,
  { queued: examples.accepted },
  { status: 202, headers: ['Location', 'Retry-After'] },
);

const urls = ['https://example.com/', 'https://example.com/shoes'];
const ranks = getCheckType('keyword');

const austin = {
  location: 'Austin, Texas, United States',
  name: 'Austin',
  region: 'Texas',
  country: 'US',
  latitude: 30.2672,
  longitude: -97.7431,
};

export const checkOperations: Operation[] = [
  ...urlCheckTypes.flatMap(createOperations),
  {
    id: ranks.document.operationId,
    method: 'post',
    path: '/api/v1/keyword-track',
    tag: ranks.document.tag,
    ...ranks.document.single,
    isCharged: true,
    parameters: [include],
    body: {
      schema: KeywordRequest,
      isList: true,
      examples: {
        one: { queries: [{ url: 'example.com', keyword: 'running shoes' }] },
        more: {
          queries: [
            { url: 'example.com', keyword: 'running shoes', country: 'GB', end_page: 3 },
            { url: 'example.com', keyword: 'trail shoes', device: 'mobile' },
          ],
        },
        'from a city': {
          queries: [{ url: 'example.com', keyword: 'pizza', location: 'Austin, Texas, United States' }],
        },
        'with competitors': {
          queries: [
            {
              url: 'example.com',
              keyword: 'running shoes',
              competitors: ['competitor.example.org'],
              include: ['results'],
              full: true,
              end_page: 3,
            },
          ],
        },
      },
    },
    answers: {
      ...jsonResponse(
        'The rank, for one query.',
        resultSchemas.keyword.Result,
        examples.createSingleResponses('keyword'),
      ),
      ...queued,
    },
    errors: [402],
  },
  {
    id: 'searchLocations',
    method: 'get',
    path: '/api/v1/locations',
    tag: ranks.document.tag,
    summary: 'Find a location to search from',
    description:
      'Returns up to 20 cities whose name begins with `q`, the largest first. Case and accents are ignored. A comma ends ' +
      'the name: `Austin, TX`. A single letter finds only a city with exactly this name. Free. Data: [GeoNames](https://www.geonames.org), CC BY 4.0.',
    parameters: [
      { ...textParameter('q', 'Beginning of the name.', 'aus'), required: true },
      textParameter('country', 'Only cities of this country.', 'US'),
    ],
    answers: jsonResponse('The locations.', LocationList, { austin: { success: true, data: [austin] } }),
  },
  {
    id: 'getCheck',
    method: 'get',
    path: '/api/v1/checks/{request_id}',
    tag: 'Batches',
    summary: 'Get an earlier check',
    description: 'Returns a single check or an item of a batch. Use it after a lost connection.',
    parameters: [include],
    answers: jsonResponse('The check.', EarlierCheck, { earlier: examples.earlierCheck }),
    errors: [409],
  },
];

/** Returns the single and the bulk endpoint of a type whose inputs are URLs. */
function createOperations(type: UrlCheckType): Operation[] {
  const { urlPath, document } = getCheckType(type);
  const { single, bulk } = urlRequests[type];
  const path = `/api/v1${urlPath}` as const;
  const answer = jsonResponse(
    'The answer of the check.',
    resultSchemas[type].Result,
    examples.createSingleResponses(type),
  );
  return [
    {
      id: document.operationId,
      method: 'post',
      path,
      tag: document.tag,
      ...document.single,
      isCharged: true,
      parameters: [include],
      body: { schema: single, examples: { url: { url: urls[1] } } },
      answers: answer,
      errors: [402],
    },
    {
      id: `${document.operationId}Bulk`,
      method: 'post',
      path: `${path}/bulk`,
      tag: document.tag,
      ...(document.bulk ?? document.single),
      isCharged: true,
      body: {
        schema: bulk,
        isList: true,
        examples: {
          urls: { urls, reference: 'october-crawl' },
          'with a webhook': { urls, webhook_url: 'https://example.com/hooks/sonde', dedupe: true },
        },
      },
      answers: queued,
      errors: [402],
    },
  ];
}
