import Type from 'typebox';
import { IndexAnswer } from './check.ts';
import { httpExamples, indexExamples, rankExamples } from './check-examples.ts';
import { HttpStatusAnswer, HttpStatusOptions } from './http-status.ts';
import { QueryInput, RankAnswer, RankQuery } from './keyword.ts';

const AskedUrl = Type.Object({ url: Type.String({ description: 'As sent' }) });
const NoOptions = Type.Object({});

interface CheckTypeEntry {
  title: string;
  /** Plural for pages and messages, such as `URLs`. */
  inputs: string;
  /** Singular for pages and messages, such as `URL`. */
  oneInput: string;
  /** Prefix of the type's schema names in the OpenAPI document. */
  schemaName: string;
  /** Path of the single check below `/api/v1`. Null for types that do not check URLs. */
  urlPath: `/${string}` | null;
  /** Queue of the type's chunks. Each type has its own queue, so that slow searches do not delay HTTP checks. */
  queue: string;
  /** Inputs per job. Equal searches count as one input. */
  inputsPerJob: number;
  /**
   * Fields of a search. Inputs with the same values in these fields share a job. Null if inputs never share a search.
   */
  searchFields: readonly string[] | null;
  /** True if answers are also stored in the history, for longer than items. */
  keepsHistory: boolean;
  /** True if the 202 response has `snapshot_id`, which some clients expect. */
  hasSnapshotId: boolean;
  /** Message for an invalid entry. */
  misfit: string;
  input: Type.TObject;
  /** Schema of the input in a failed item. */
  asked: Type.TObject;
  options: Type.TObject;
  answer: Type.TObject;
  /** Names of the counters in a batch's summary. */
  summary: readonly string[];
  /** Filters for results. */
  filters: readonly string[];
  /** Field of the answer by which results are sorted. */
  answerField: string;
  /** Test webhooks and `getExample` use the first example. */
  examples: Record<string, CheckExample>;
  document: CheckDocument;
}

interface CheckExample {
  input: object;
  answer: object;
  tally: readonly string[];
}

/** Texts about the type's endpoints in the OpenAPI document. */
interface CheckDocument {
  tag: string;
  about: string;
  /** Operation id of the single check. The id of the bulk endpoint ends with `Bulk`. */
  operationId: string;
  single: { summary: string; description: string };
  /** Null if single and bulk checks share an endpoint. */
  bulk: { summary: string; description: string } | null;
}

/** Filters for items without an answer. `failed` selects all these items. Each other filter selects one kind. */
const unanswered = ['failed', 'not_checked', 'canceled', 'skipped'] as const;

const bulkDescription = 'Charges 1 credit per URL on submission. Failed checks are refunded.';

/**
 * Properties of each type of check. Queues, schemas, the OpenAPI document, exports, summaries and samples are created
 * from these properties. A new type needs an entry here, schemas, and an engine in `checks/`.
 */
export const checkTypes = {
  index: {
    title: 'Google index',
    inputs: 'URLs',
    oneInput: 'URL',
    schemaName: 'Index',
    urlPath: '/check',
    queue: 'index-checks',
    inputsPerJob: 10,
    searchFields: null,
    keepsHistory: true,
    hasSnapshotId: false,
    misfit: 'This entry is not a complete URL.',
    input: AskedUrl,
    asked: AskedUrl,
    options: NoOptions,
    answer: IndexAnswer,
    summary: ['indexed', 'not_indexed'],
    filters: ['indexed', 'not_indexed', ...unanswered],
    answerField: 'is_indexed',
    examples: indexExamples,
    document: {
      tag: 'Index checks',
      about: 'Checks whether a URL is in the Google index. 1 credit per URL.',
      operationId: 'checkIndex',
      single: {
        summary: 'Check whether a URL is in the Google index',
        description:
          'Responds within 25 seconds. `is_indexed` is false only after two result pages of Google that do not contain ' +
          'the URL. If a result page cannot be read, the response is 503.',
      },
      bulk: { summary: 'Check up to 2,000 URLs in the background', description: bulkDescription },
    },
  },
  http: {
    title: 'HTTP status',
    inputs: 'URLs',
    oneInput: 'URL',
    schemaName: 'HttpStatus',
    urlPath: '/http-status',
    queue: 'http-checks',
    inputsPerJob: 50,
    searchFields: null,
    keepsHistory: false,
    hasSnapshotId: false,
    misfit: 'This entry is not a complete URL.',
    input: AskedUrl,
    asked: AskedUrl,
    options: HttpStatusOptions,
    answer: HttpStatusAnswer,
    summary: [
      'status_1xx',
      'status_2xx',
      'status_3xx',
      'status_4xx',
      'status_5xx',
      'status_other',
      'redirected',
      'soft404',
      'bot_wall',
      'unreachable',
    ],
    filters: [
      'ok',
      'soft404',
      'redirect',
      'client_error',
      'server_error',
      'unreachable',
      'other_status',
      'dead',
      'redirected',
      'redirect_chain',
      'temporary_redirect',
      'slow',
      'noindex',
      'canonical_elsewhere',
      'bot_wall',
      ...unanswered,
    ],
    answerField: 'status',
    examples: httpExamples,
    document: {
      tag: 'HTTP status checks',
      about:
        'Checks the status of a URL after redirects, and whether the page is a soft 404. 1 credit per URL.',
      operationId: 'checkHttpStatus',
      single: {
        summary: 'Check the HTTP status of a URL',
        description:
          'Responds within 25 seconds. A dead domain or a timeout is also an answer: `status` is 0, and `error` is the reason.',
      },
      bulk: {
        summary: 'Check the HTTP status of up to 2,000 URLs in the background',
        description: bulkDescription,
      },
    },
  },
  keyword: {
    title: 'Ranks',
    inputs: 'queries',
    oneInput: 'query',
    schemaName: 'Rank',
    urlPath: null,
    queue: 'rank-checks',
    inputsPerJob: 10,
    searchFields: ['keyword', 'country', 'language', 'location', 'device'],
    keepsHistory: true,
    hasSnapshotId: true,
    misfit: 'This entry is not a valid query.',
    input: RankQuery,
    asked: QueryInput,
    options: NoOptions,
    answer: RankAnswer,
    summary: ['ranked', 'not_ranked', 'top_3', 'top_10', 'top_20', 'top_100'],
    filters: ['top_3', 'rank_4_10', 'rank_11_20', 'below_20', 'ranked', 'not_ranked', ...unanswered],
    answerField: 'rank',
    examples: rankExamples,
    document: {
      tag: 'Keyword ranks',
      about:
        'Finds the rank of a site or page among the organic results for a keyword. 1 credit per query, 2 with an AI ' +
        'Overview.',
      operationId: 'trackKeywords',
      single: {
        summary: 'Check the rank of a site for keywords',
        description:
          'A request with one query is answered directly with 200. A request with more queries is queued with 202. ' +
          '`rank` counts distinct organic results from the top of page 1, without ads and other boxes.',
      },
      bulk: null,
    },
  },
} as const satisfies Record<string, CheckTypeEntry>;

export type CheckType = keyof typeof checkTypes;
export const checkTypeNames = Object.keys(checkTypes) as CheckType[];

export type HistoryType = {
  [T in CheckType]: (typeof checkTypes)[T]['keepsHistory'] extends true ? T : never;
}[CheckType];
export const historyTypes = checkTypeNames.filter((type) => checkTypes[type].keepsHistory) as HistoryType[];

export function isHistoryType(type: CheckType): type is HistoryType {
  return checkTypes[type].keepsHistory;
}

/** Check types whose inputs are URLs. */
export type UrlCheckType = {
  [T in CheckType]: (typeof checkTypes)[T]['urlPath'] extends null ? never : T;
}[CheckType];

export type InputOf<T extends CheckType = CheckType> = Type.Static<(typeof checkTypes)[T]['input']>;
export type FailedInputOf<T extends CheckType = CheckType> = Type.Static<(typeof checkTypes)[T]['asked']>;
/** Options of all checks of a batch. */
export type OptionsOf<T extends CheckType = CheckType> = Type.Static<(typeof checkTypes)[T]['options']>;
export type AnswerOf<T extends CheckType = CheckType> = Type.Static<(typeof checkTypes)[T]['answer']>;

export function getExample(type: CheckType): CheckExample {
  const [first] = Object.values<CheckExample>(checkTypes[type].examples);
  if (!first) throw new Error(`the check type ${type} has no example`);
  return first;
}

export function getDefaultOptions(type: CheckType): OptionsOf {
  const options = Object.entries(
    checkTypes[type].options.properties as Record<string, { default?: unknown }>,
  );
  return Object.fromEntries(options.map(([name, schema]) => [name, schema.default]));
}

export function isUrlCheckType(type: CheckType): type is UrlCheckType {
  return checkTypes[type].urlPath !== null;
}

/** Returns the entry of a check type as `CheckTypeEntry`, which all entries satisfy. */
export function getCheckType(type: CheckType): CheckTypeEntry {
  return checkTypes[type];
}
