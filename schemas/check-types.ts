import Type from 'typebox';
import { IndexAnswer } from './check.ts';
import { httpExamples, indexExamples, rankExamples } from './check-examples.ts';
import type { ItemError } from './failures.ts';
import { HttpStatusAnswer, HttpStatusOptions } from './http-status.ts';
import { AskedQuery, RankAnswer, RankQuery } from './keyword.ts';

const AskedUrl = Type.Object({ url: Type.String({ description: 'As it was sent' }) });
const NoOptions = Type.Object({});

interface CheckTypeEntry {
  /** For people, such as `HTTP status`. */
  title: string;
  /** What its inputs are called, such as `URLs`. */
  inputs: string;
  /** The same of one, such as `URL`. */
  oneInput: string;
  /** The beginning of its schemas' names in the API's document. */
  schemaName: string;
  /**
   * Where single and bulk checks of a list of addresses are taken in, below `/api/v1`; null where it is
   * another list.
   */
  urlPath: `/${string}` | null;
  /** The queue of its chunks: one a type, so that slow searches never stand before quick fetches. */
  queue: string;
  /** Inputs in one job, equal searches counted once: worth a job, and done within its slice of time. */
  inputsPerJob: number;
  /** Whether equal searches among its inputs share a job, and by which fields. */
  searchFields: readonly string[] | null;
  /** Whether its answers outlive their items as points of the history. */
  keepsHistory: boolean;
  /** The 202 says `snapshot_id` too, for clients of the second documented shape. */
  hasSnapshotId: boolean;
  /** What an entry is called that does not fit. */
  misfit: string;
  input: Type.TObject;
  /** An input as it is repeated where no answer came. */
  asked: Type.TObject;
  options: Type.TObject;
  answer: Type.TObject;
  /** The counters of a batch's summary. */
  summary: readonly string[];
  /** Which results a page may be asked to show, from good news to bad. */
  filters: readonly string[];
  /** The field of the answer by which results are sorted. */
  answerField: string;
  /** Answers by what they show, the first for wherever there is room for one. */
  examples: Record<string, CheckExample>;
  /** How a failed item of it reads in samples. */
  exampleError: ItemError;
  document: CheckDocument;
}

interface CheckExample {
  input: object;
  answer: object;
  tally: readonly string[];
}

/** What the API's document says of its endpoints. */
interface CheckDocument {
  tag: string;
  about: string;
  /** The operation's id; the bulk one's ends in `Bulk`. */
  operationId: string;
  single: { summary: string; description: string };
  /** Of the bulk endpoint; null where it is the same one. */
  bulk: { summary: string; description: string } | null;
}

/** Items without an answer: all of them, and the three kinds there are. */
const unanswered = ['failed', 'not_checked', 'canceled', 'skipped'] as const;

const bulkDescription = 'Charges 1 credit per URL at once; what fails is refunded.';

/**
 * What there is to know of each type of check, in one place: queues, schemas, the API's document, exports,
 * summaries and samples are made from it. A new type is an entry here, its schemas, and an engine in
 * `checks/`.
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
    misfit: 'This entry is not a complete address.',
    input: AskedUrl,
    asked: AskedUrl,
    options: NoOptions,
    answer: IndexAnswer,
    summary: ['indexed', 'not_indexed'],
    filters: ['indexed', 'not_indexed', ...unanswered],
    answerField: 'is_indexed',
    examples: indexExamples,
    exampleError: 'google_unreadable',
    document: {
      tag: 'Index checks',
      about: 'Is a URL in Google? 1 credit per URL.',
      operationId: 'checkIndex',
      single: {
        summary: 'Check whether a URL is in Google',
        description:
          'Answers within 25 seconds. A no needs two genuine result pages: what could not be read is a 503, never a no.',
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
    misfit: 'This entry is not a complete address.',
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
    exampleError: 'checker_unreachable',
    document: {
      tag: 'HTTP status checks',
      about:
        'What a URL really answers after its redirects, and whether its page is a soft 404. 1 credit per URL.',
      operationId: 'checkHttpStatus',
      single: {
        summary: 'Fetch a URL and tell what it really answers',
        description:
          'Answers within 25 seconds. A dead domain or silence is an answer too: `status` is 0 and `error` says why.',
      },
      bulk: { summary: 'Fetch up to 2,000 URLs in the background', description: bulkDescription },
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
    searchFields: ['keyword', 'country', 'language', 'device'],
    keepsHistory: true,
    hasSnapshotId: true,
    misfit: 'This entry is not a query that can be asked.',
    input: RankQuery,
    asked: AskedQuery,
    options: NoOptions,
    answer: RankAnswer,
    summary: ['ranked', 'not_ranked', 'top_3', 'top_10', 'top_20', 'top_100'],
    filters: ['top_3', 'rank_4_10', 'rank_11_20', 'below_20', 'ranked', 'not_ranked', ...unanswered],
    answerField: 'rank',
    examples: rankExamples,
    exampleError: 'google_unreadable',
    document: {
      tag: 'Keyword ranks',
      about: 'Where a site or a page stands among the organic results for a keyword. 1 credit per query.',
      operationId: 'trackKeywords',
      single: {
        summary: 'Find a site among the results for keywords',
        description:
          'One query is answered at once with 200, two or more are queued with 202. ' +
          '`rank` counts different organic results from the top of page 1; ads and boxes do not count.',
      },
      bulk: null,
    },
  },
} as const satisfies Record<string, CheckTypeEntry>;

export type CheckType = keyof typeof checkTypes;
export const checkTypeNames = Object.keys(checkTypes) as CheckType[];

/** The types whose checks are kept as points of a history. */
export type HistoryType = {
  [T in CheckType]: (typeof checkTypes)[T]['keepsHistory'] extends true ? T : never;
}[CheckType];
export const historyTypes = checkTypeNames.filter((type) => checkTypes[type].keepsHistory) as HistoryType[];

export function isHistoryType(type: CheckType): type is HistoryType {
  return checkTypes[type].keepsHistory;
}

/** The types whose inputs are a list of addresses. */
export type UrlCheckType = {
  [T in CheckType]: (typeof checkTypes)[T]['urlPath'] extends null ? never : T;
}[CheckType];

/** What is asked of one check. */
export type InputOf<T extends CheckType = CheckType> = Type.Static<(typeof checkTypes)[T]['input']>;
/** The same as far as it could be read, where no answer came. */
export type AskedOf<T extends CheckType = CheckType> = Type.Static<(typeof checkTypes)[T]['asked']>;
/** What holds for all checks of a batch. */
export type OptionsOf<T extends CheckType = CheckType> = Type.Static<(typeof checkTypes)[T]['options']>;
/** What a check found. */
export type AnswerOf<T extends CheckType = CheckType> = Type.Static<(typeof checkTypes)[T]['answer']>;

/** The example of a type that stands where there is room for one. */
export function exampleOf(type: CheckType): CheckExample {
  const [first] = Object.values<CheckExample>(checkTypes[type].examples);
  if (!first) throw new Error(`the check type ${type} has no example`);
  return first;
}

export function isUrlCheckType(type: CheckType): type is UrlCheckType {
  return checkTypes[type].urlPath !== null;
}

/** What the compiler knows only as one of three entries, as any of them. */
export function checkTypeEntry(type: CheckType): CheckTypeEntry {
  return checkTypes[type];
}
