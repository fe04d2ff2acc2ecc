import type { components } from './openapi.d.ts';

type Schemas = components['schemas'];

export type BatchType = 'index' | 'http' | 'keyword';
export type IndexResult = Schemas['IndexResult'];
export type HttpStatusResult = Schemas['HttpStatusResult'];
export type RankResult = Schemas['RankResult'];
export type KeywordQuery = Schemas['KeywordQuery'];
export type BatchAccepted = Schemas['BatchAccepted'];
export type Batch = Schemas['BatchResponse'];
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
export type CitedDomain = Schemas['CitedDomains']['data'][number];
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

/** One result of a batch. `state` is `success` for an answer, and `failed` for a refunded failure. */
export type BatchResult =
  | Schemas['IndexItem']
  | Schemas['HttpStatusItem']
  | Schemas['RankItem']
  | Schemas['FailedUrlItem']
  | Schemas['FailedRankItem'];

export interface SondeOptions {
  /** From the dashboard, under Tokens. The constructor throws TypeError if it is undefined. */
  token: string | undefined;
  /** URL of the service. Default: `http://localhost:3000`. */
  baseUrl?: string;
  /** Maximum number of retries per request. Default: 4. */
  retries?: number;
  fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
}

export interface PostOptions extends RequestOptions {
  /** Your own key, to repeat a request safely after a crash. Default: a random key for each call. */
  idempotencyKey?: string;
}

export interface SubmitOptions extends PostOptions {
  reference?: string;
  /** Your own UUID for batches that belong together. */
  submissionId?: string;
  webhookUrl?: string;
  dedupe?: boolean;
  onInvalid?: 'reject' | 'skip';
  /** Only for HTTP checks. */
  followRedirects?: boolean;
  /** User agent of the requests. Only for HTTP checks. */
  userAgent?: 'sonde' | 'googlebot' | 'browser';
}

export type Comparison = Schemas['Comparison'];

export interface AgainOptions extends PostOptions {
  type?: 'http' | 'index';
  /** Only inputs with this kind of result, such as `dead` or `not_indexed`. */
  show?: string;
  /** Only inputs with this text in the URL, keyword or target. Must not be blank. */
  search?: string;
  requestIds?: number[];
}

export interface IncludeOptions {
  /**
   * `evidence`: the queries that were sent to Google. `results`: the organic results on the pages that were read.
   * `ai_overview`: the sources and the text of an AI Overview.
   */
  include?: Array<'evidence' | 'results' | 'ai_overview'>;
}

export interface EndedOptions extends RequestOptions {
  /** Called after each poll. If omitted, the client uses long polling. */
  onProgress?: (batch: Batch) => void;
  /** Milliseconds between polls, with `onProgress`. Default: 2,000. */
  intervalMs?: number;
}

/** Query parameters of a list, such as `{ from: '2026-11-01' }`. */
type Filter = Record<string, string>;

/** The entries of a list, which is fetched page by page. */
type Entries<T> = AsyncGenerator<T, void>;

/**
 * Client of a Sonde service. Retries requests if the network fails, after 429, 502, 503 and 504, and while an earlier
 * attempt is still running. Waits as long as the service asks, but does not retry if this is more than a minute. All
 * attempts have the same Idempotency-Key, so that nothing is charged twice. Throws SondeError.
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
   * Queues up to 2,000 entries. A single keyword query is answered directly, as by `rank`, and has no batch. Check
   * `'batch_id' in accepted` to find out which answer it is.
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
  /** Returns up to 20 cities whose name begins with a text, for `location` of a query. */
  locations(text: string, options?: RequestOptions & { country?: string }): Promise<Schemas['Location'][]>;
  /** Returns a batch, by default without results. */
  batch(
    batchId: string,
    options?: RequestOptions & {
      results?: 'all' | 'partial' | 'none';
      /** Waits for the end of the batch, up to 25 seconds. */
      waitSeconds?: number;
    },
  ): Promise<Batch>;
  /** Resolves with the batch when it has ended. The batch has no results. */
  ended(batchId: string, options?: EndedOptions): Promise<Batch>;
  /** Streams the results of an ended batch in the order of submission. */
  results(batchId: string, options?: RequestOptions & IncludeOptions): Entries<BatchResult>;
  cancel(batchId: string, options?: PostOptions): Promise<Batch>;
  retry(batchId: string, options?: PostOptions): Promise<BatchAccepted>;
  /** Creates a new batch from inputs of an ended batch. URLs can be checked with another type. */
  again(batchId: string, options?: AgainOptions): Promise<BatchAccepted>;
  /**
   * Compares a batch with an earlier batch. Returns `counts`, and a page of the inputs with this `change`. Default of
   * `with`: the batch whose inputs this batch checks again, otherwise the latest earlier batch of the same type and
   * name.
   */
  compare(
    batchId: string,
    options?: RequestOptions & { with?: string; change?: Comparison['change']; page?: number },
  ): Promise<Comparison>;
  /** Null removes the name. */
  rename(batchId: string, name: string | null, options?: PostOptions): Promise<Batch>;
  credits(options?: RequestOptions): Promise<number>;
  creditAlert(options?: RequestOptions): Promise<CreditAlert>;
  /** Changes the low-credit alert. Missing fields keep their value. Null clears them. Requires scope `manage`. */
  changeCreditAlert(
    options: PostOptions & { threshold?: number | null; webhookUrl?: string | null },
  ): Promise<CreditAlert>;
  /** Returns the schedule of the emails about monitors. */
  digest(options?: RequestOptions): Promise<Digest>;
  changeDigest(options: PostOptions & Schemas['DigestRequest']): Promise<Digest>;
  /** Yields all batches, newest first. */
  batches(
    filter?: { type?: BatchType; status?: Batch['status'] },
    options?: RequestOptions,
  ): Entries<BatchSummary>;
  history(filter?: Filter, options?: RequestOptions): Entries<HistoryEntry>;
  ledger(options?: RequestOptions): Entries<LedgerEntry>;
  /** Returns the account, and the token with its scope. */
  me(options?: RequestOptions): Promise<Schemas['Me']>;
  tokens(options?: RequestOptions): Promise<Array<Schemas['Token']>>;
  /** Creates a token. Its `token` is shown only once. Answers of a test token (`isTest`) are simulated and free. */
  makeToken(
    options: PostOptions & {
      name: string;
      scope?: Schemas['Token']['scope'];
      /** Such as `2027-01-31T00:00:00Z`; null for no expiry date. */
      expiresAt?: string | null;
      creditsPerMonth?: number | null;
      isTest?: boolean;
    },
  ): Promise<Schemas['CreatedToken']>;
  revokeToken(tokenId: number, options?: PostOptions): Promise<Schemas['TokenResponse']>;
  /** `data` contains the members. `invitations` contains the open invitations. */
  members(options?: RequestOptions): Promise<Schemas['MemberList']>;
  invite(
    email: string,
    role: Schemas['Member']['role'],
    options?: PostOptions,
  ): Promise<Schemas['CreatedInvitation']>;
  changeRole(
    memberId: number,
    role: Schemas['Member']['role'],
    options?: PostOptions,
  ): Promise<Schemas['MemberResponse']>;
  removeMember(memberId: number, options?: PostOptions): Promise<Schemas['MemberResponse']>;
  /** Yields actions of people and tokens, newest first. */
  activity(options?: RequestOptions): Entries<ActivityEntry>;
  monitors(
    filter?: { type?: BatchType; status?: Monitor['status'] },
    options?: RequestOptions,
  ): Entries<Monitor>;
  monitor(monitorId: string, options?: RequestOptions): Promise<Monitor>;
  /** Nothing is charged before the first run. `credits_per_run` and `credits_per_month` have the cost. */
  createMonitor(fields: MonitorRequest, options?: PostOptions): Promise<Monitor>;
  /** Missing fields keep their value. Null sets the default. Lists, `schedule` and `notify` are replaced as a whole. */
  changeMonitor(monitorId: string, fields: MonitorPatch, options?: PostOptions): Promise<Monitor>;
  deleteMonitor(monitorId: string, options?: PostOptions): Promise<void>;
  pauseMonitor(monitorId: string, options?: PostOptions): Promise<Monitor>;
  resumeMonitor(monitorId: string, options?: PostOptions): Promise<Monitor>;
  /** Starts a run now. It is charged like any other run. */
  runMonitor(monitorId: string, options?: PostOptions): Promise<MonitorRun>;
  monitorRuns(
    monitorId: string,
    filter?: { status?: MonitorRun['status'] },
    options?: RequestOptions,
  ): Entries<MonitorRun>;
  /** Yields changes, newest first. Example of `filter`: `{ kind: 'deindexed', from: '2026-11-01' }`. */
  monitorChanges(monitorId: string, filter?: Filter, options?: RequestOptions): Entries<MonitorChange>;
  /** Yields subjects in the order of the list, with their points, by default of the last 90 days. */
  monitorSubjects(monitorId: string, filter?: Filter, options?: RequestOptions): Entries<MonitorSubject>;
  /** Yields the counts of each run, newest first. */
  monitorSeries(monitorId: string, filter?: Filter, options?: RequestOptions): Entries<SeriesEntry>;
  /** Returns the domains that AI Overviews cite most, by default in the last 30 days. */
  monitorSources(
    monitorId: string,
    filter?: { from?: string; to?: string },
    options?: RequestOptions,
  ): Promise<CitedDomain[]>;
}

/** Error response of the service. `status` is 0 if the service could not be reached. */
export class SondeError extends Error {
  readonly status: number;
  /**
   * `error` of the response, such as `insufficient_credits`. Without such a field, `unreachable` or
   * `unexpected_answer`.
   */
  readonly code: string;
  /** Id of the request. Send it to the operator when you report a problem. */
  readonly requestId: string | null;
  readonly body: Schemas['Error'] | null;
}

/** Error for a webhook whose signature is missing, invalid or too old. */
export class WebhookVerificationError extends Error {}

/**
 * Verifies the signature of a webhook and returns the payload. Throws WebhookVerificationError if the signature is
 * invalid. `headers` may be a `Headers`, Node's `headers` or `rawHeaders`, an object or pairs. Names may have any case.
 * `body` is the raw text or bytes of the request. Anything else throws TypeError.
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
