import type { components } from './openapi.d.ts';

type Schemas = components['schemas'];

export type BatchType = 'index' | 'http' | 'keyword';
export type IndexResult = Schemas['IndexResult'];
export type HttpStatusResult = Schemas['HttpStatusResult'];
export type RankResult = Schemas['RankResult'];
export type KeywordQuery = Schemas['KeywordQuery'];
export type BatchAccepted = Schemas['BatchAccepted'];
export type Batch = Schemas['BatchAnswer'];
export type BatchSummary = Schemas['Batch'];
export type LedgerEntry = Schemas['LedgerEntry'];
export type HistoryEntry = Schemas['IndexHistoryEntry'] | Schemas['RankHistoryEntry'];
export type Monitor = Schemas['Monitor'];
export type MonitorRequest = Schemas['MonitorRequest'];
export type MonitorPatch = Schemas['MonitorPatch'];
export type MonitorRun = Schemas['MonitorRun'];
export type MonitorChange = Schemas['MonitorChange'];
export type MonitorSubject = Schemas['SubjectEntry'];
export type SeriesEntry = Schemas['SeriesEntry'];
export type ActivityEntry = Schemas['ActivityList']['data'][number];
export type CreditAlert = Schemas['CreditAlert'];
export type Digest = Schemas['Digest'];
export type WebhookPayload =
  | Schemas['IndexPayload']
  | Schemas['HttpStatusPayload']
  | Schemas['RankPayload']
  | Schemas['CreditsLowPayload']
  | Schemas['MonitorRunPayload']
  | Schemas['MonitorRunSkippedPayload']
  | Schemas['MonitorCompletedPayload']
  | Schemas['MonitorResumedPayload'];

/** One result of a batch; `state` tells an answer from a failure, which was refunded. */
export type BatchResult =
  | Schemas['IndexItem']
  | Schemas['HttpStatusItem']
  | Schemas['RankItem']
  | Schemas['FailedUrlItem']
  | Schemas['FailedRankItem'];

export interface SondeOptions {
  /** From the dashboard, under Tokens. Undefined, as an unset variable of the environment is, throws a TypeError. */
  token: string | undefined;
  /** Where the service is; `http://localhost:3000` unless given. */
  baseUrl?: string;
  /** How often a request is repeated at most; 4 unless given. */
  retries?: number;
  fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
}

export interface PostOptions extends RequestOptions {
  /**
   * One of your own makes a request safe to repeat after your process has died; else one is made up per call.
   */
  idempotencyKey?: string;
}

export interface SubmitOptions extends PostOptions {
  reference?: string;
  /** Your own id (a UUID) for batches that belong together. */
  submissionId?: string;
  webhookUrl?: string;
  dedupe?: boolean;
  onInvalid?: 'reject' | 'skip';
  /** HTTP checks only. */
  followRedirects?: boolean;
  /** HTTP checks only: under whose name the targets are asked. */
  userAgent?: 'sonde' | 'googlebot' | 'browser';
}

export type Comparison = Schemas['Comparison'];

export interface AgainOptions extends PostOptions {
  type?: 'http' | 'index';
  /** Only inputs with such results, such as `dead` or `not_indexed`. */
  show?: string;
  /** Only inputs with this text in the address, the keyword or its target; a blank one is refused. */
  search?: string;
  requestIds?: number[];
}

/**
 * What of an answer is shown besides what always is: what Google was asked, and what was found on the way to
 * a rank.
 */
export interface IncludeOptions {
  include?: Array<'evidence' | 'results'>;
}

export interface EndedOptions extends RequestOptions {
  /** Called whenever the batch was looked at; without it, the service is asked to tell when it has ended. */
  onProgress?: (batch: Batch) => void;
  /** Between two looks, with `onProgress`; 2,000 unless given. */
  intervalMs?: number;
}

/**
 * The API of a Sonde service, as one account. Requests are repeated when the network fails, at 429 and at
 * 503, as long as the service asks to wait; with one Idempotency-Key over all tries, so nothing is charged
 * twice. Throws SondeError.
 */
export class Sonde {
  constructor(options: SondeOptions);
  checkIndex(url: string, options?: PostOptions & IncludeOptions): Promise<IndexResult>;
  checkHttpStatus(
    url: string,
    options?: PostOptions & Pick<SubmitOptions, 'followRedirects' | 'userAgent'>,
  ): Promise<HttpStatusResult>;
  rank(query: KeywordQuery, options?: PostOptions & IncludeOptions): Promise<RankResult>;
  /**
   * Queues up to 2,000 entries. One keyword query alone is answered at once, as by `rank`, and has no batch:
   * `'batch_id' in accepted` tells which it is.
   */
  submit(type: 'index' | 'http', urls: string[], options?: SubmitOptions): Promise<BatchAccepted>;
  submit(
    type: 'keyword',
    queries: [KeywordQuery, KeywordQuery, ...KeywordQuery[]],
    options?: SubmitOptions,
  ): Promise<BatchAccepted>;
  submit(
    type: 'keyword',
    queries: KeywordQuery[],
    options?: SubmitOptions,
  ): Promise<BatchAccepted | RankResult>;
  /** Without results unless asked for. */
  batch(
    batchId: string,
    options?: RequestOptions & {
      results?: 'all' | 'partial' | 'none';
      /** Answers when the batch has ended, or after this time; at most 25. */
      waitSeconds?: number;
    },
  ): Promise<Batch>;
  /** Resolves when the batch has ended; without its results. */
  ended(batchId: string, options?: EndedOptions): Promise<Batch>;
  /** The results of a batch that has ended, in the order of submission, as they arrive. */
  results(batchId: string, options?: RequestOptions & IncludeOptions): AsyncGenerator<BatchResult, void>;
  cancel(batchId: string, options?: PostOptions): Promise<Batch>;
  retry(batchId: string, options?: PostOptions): Promise<BatchAccepted>;
  /** A new batch of the inputs of an ended one: all, or some; addresses can be checked for something else. */
  again(batchId: string, options?: AgainOptions): Promise<BatchAccepted>;
  /** What became of each input since an earlier batch; without `with` the one it repeats, or the last of its name. */
  compare(
    batchId: string,
    options?: RequestOptions & { with?: string; change?: Comparison['change']; page?: number },
  ): Promise<Comparison>;
  /** What people call the batch; null takes the name away. */
  rename(batchId: string, name: string | null, options?: PostOptions): Promise<Batch>;
  credits(options?: RequestOptions): Promise<number>;
  /** When low credits are told. */
  creditAlert(options?: RequestOptions): Promise<CreditAlert>;
  /** Told once the balance falls below `threshold`; what is not given stays, null clears it. Takes a `manage` token. */
  changeCreditAlert(
    options: PostOptions & { threshold?: number | null; webhookUrl?: string | null },
  ): Promise<CreditAlert>;
  /** When monitors are told by mail. */
  digest(options?: RequestOptions): Promise<Digest>;
  changeDigest(options: PostOptions & Schemas['DigestRequest']): Promise<Digest>;
  /** Every batch, newest first, fetched page by page. */
  batches(
    filter?: { type?: BatchType; status?: Batch['status'] },
    options?: RequestOptions,
  ): AsyncGenerator<BatchSummary, void>;
  history(filter?: Record<string, string>, options?: RequestOptions): AsyncGenerator<HistoryEntry, void>;
  ledger(options?: RequestOptions): AsyncGenerator<LedgerEntry, void>;
  /** Whose token this is, and how far it goes. */
  me(options?: RequestOptions): Promise<Schemas['Me']>;
  tokens(options?: RequestOptions): Promise<Array<Schemas['Token']>>;
  /** Its `token` is shown this once; `isTest` makes one whose answers are invented and cost nothing. */
  makeToken(
    options: PostOptions & {
      name: string;
      scope?: Schemas['Token']['scope'];
      /** Such as `2027-01-31T00:00:00Z`; null for no end. */
      expiresAt?: string | null;
      creditsPerMonth?: number | null;
      isTest?: boolean;
    },
  ): Promise<Schemas['TokenMade']>;
  revokeToken(tokenId: number, options?: PostOptions): Promise<Schemas['TokenShown']>;
  /** `data` are the members, `invitations` those who have not come yet. */
  members(options?: RequestOptions): Promise<Schemas['MemberList']>;
  invite(
    email: string,
    role: Schemas['Member']['role'],
    options?: PostOptions,
  ): Promise<Schemas['InvitationMade']>;
  changeRole(
    memberId: number,
    role: Schemas['Member']['role'],
    options?: PostOptions,
  ): Promise<Schemas['MemberShown']>;
  removeMember(memberId: number, options?: PostOptions): Promise<Schemas['MemberShown']>;
  /** Who did what, newest first, fetched page by page. */
  activity(options?: RequestOptions): AsyncGenerator<ActivityEntry, void>;
  /** Every monitor, newest first, as all lists fetched page by page. */
  monitors(
    filter?: { type?: BatchType; status?: Monitor['status'] },
    options?: RequestOptions,
  ): AsyncGenerator<Monitor, void>;
  monitor(monitorId: string, options?: RequestOptions): Promise<Monitor>;
  /** Nothing is charged before its first run; `credits_per_run` and `credits_per_month` say what will be. */
  createMonitor(fields: MonitorRequest, options?: PostOptions): Promise<Monitor>;
  /** Fields that are missing stay, null clears; lists, `schedule` and `notify` are replaced whole. */
  changeMonitor(monitorId: string, fields: MonitorPatch, options?: PostOptions): Promise<Monitor>;
  deleteMonitor(monitorId: string, options?: PostOptions): Promise<void>;
  pauseMonitor(monitorId: string, options?: PostOptions): Promise<Monitor>;
  resumeMonitor(monitorId: string, options?: PostOptions): Promise<Monitor>;
  /** A run now, charged like any other. */
  runMonitor(monitorId: string, options?: PostOptions): Promise<MonitorRun>;
  monitorRuns(
    monitorId: string,
    filter?: { status?: MonitorRun['status'] },
    options?: RequestOptions,
  ): AsyncGenerator<MonitorRun, void>;
  /** What changed, newest first; such as `{ kind: 'deindexed', from: '2026-11-01' }`. */
  monitorChanges(
    monitorId: string,
    filter?: Record<string, string>,
    options?: RequestOptions,
  ): AsyncGenerator<MonitorChange, void>;
  /** What is checked, in the order of the list, each with its points of the last 90 days. */
  monitorSubjects(
    monitorId: string,
    filter?: Record<string, string>,
    options?: RequestOptions,
  ): AsyncGenerator<MonitorSubject, void>;
  /** What each run counted, newest first. */
  monitorSeries(
    monitorId: string,
    filter?: Record<string, string>,
    options?: RequestOptions,
  ): AsyncGenerator<SeriesEntry, void>;
}

/** The service said no, or could not be reached (`status` is 0 then). */
export class SondeError extends Error {
  readonly status: number;
  /**
   * The `error` of the answer, such as `insufficient_credits`; `unreachable` or `unexpected_answer`
   * otherwise.
   */
  readonly code: string;
  /** Tell it to the operator. */
  readonly requestId: string | null;
  readonly body: Schemas['Error'] | null;
}

/** A webhook that did not come from the service, or is too old. */
export class WebhookVerificationError extends Error {}

/**
 * Returns the payload of a webhook whose signature is right; throws WebhookVerificationError otherwise. Header names
 * may have any case, and `headers` may be a `Headers`, Node's `headers` or `rawHeaders`, an object or pairs. `body` is
 * the text or the bytes as they came, before any parser; anything else is a TypeError.
 */
export function verifyWebhook(webhook: {
  secret: string;
  headers:
    | Headers
    | Map<string, string>
    | Record<string, string | string[] | undefined>
    | Array<[name: string, value: string | string[]]>
    | string[];
  body: string | ArrayBuffer | ArrayBufferView;
  now?: Date;
}): Promise<WebhookPayload>;
