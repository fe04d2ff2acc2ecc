import assert from 'node:assert/strict';

/** Time limits that depend on each other. The constraints between them follow below. */
export const deadlines = {
  /** One HTTP check with all redirects and the body: the maximum of CHECK_TIMEOUT_MS. */
  httpCheckMaxMs: 20_000,
  /** A single check of any type. The rest of `answerMs` is for its transactions. */
  singleCheckMs: 24_000,
  /** The API promises an answer to a single check within this time. */
  answerMs: 25_000,
  /** If a single check is open for longer, its process has died. The sweep refunds the check. */
  singleCheckOrphanedMs: 35_000,
  /** Reading one sitemap, including the sitemaps of its index. */
  sitemapMs: 20_000,

  /** A chunk starts no new checks after this time. */
  sliceMs: 20_000,
  /** One search of a batch with all its pages. */
  searchMs: 120_000,
  /** One delivery attempt. */
  deliveryMs: 15_000,
  /** One attempt to send a mail. */
  mailMs: 60_000,
  /** A job that runs for longer is given to another worker. */
  jobMs: 300_000,
  /** Interval at which pg-boss looks for jobs without a heartbeat. */
  superviseMs: 3_000,
  /** A job without a heartbeat for this time is given to another worker. */
  heartbeatMs: 10_000,

  // After SIGTERM:
  /** Checks in flight are aborted. */
  haltMs: 15_000,
  /** Open connections are closed. */
  cutMs: 20_000,
  /** The process stops waiting for parts that hang. */
  endMs: 22_000,
  /** The process exits in any case. */
  stopMs: 25_000,
  /** The host kills the process. */
  killMs: 30_000,

  /** lock_timeout, idle_in_transaction_session_timeout and statement_timeout of Postgres. */
  lockMs: 5_000,
  idleInTransactionMs: 10_000,
  statementMs: 30_000,
  /**
   * A database connection without traffic for this time counts as lost. Networks can drop a connection without notice.
   */
  silenceMs: 35_000,
} as const;

type Name = keyof typeof deadlines;

/** The sum of `earlier` must be shorter than `later`. `why` says what a violation would cause. */
export const deadlineOrder: ReadonlyArray<[earlier: Name[], later: Name, why: string]> = [
  [['httpCheckMaxMs'], 'singleCheckMs', 'a slow target would become a failure instead of an answer'],
  [['singleCheckMs'], 'answerMs', 'no time would be left to charge and to settle'],
  [['answerMs'], 'singleCheckOrphanedMs', 'a check that is about to be answered would be refunded'],
  [['sitemapMs'], 'answerMs', 'a request that waits for its sitemap would time out'],
  // `httpCheckMaxMs` counts twice, because a check can wait for a host slot as long as it can run.
  [['sliceMs', 'httpCheckMaxMs', 'httpCheckMaxMs'], 'jobMs', 'two workers would run a chunk'],
  [['sliceMs', 'searchMs'], 'jobMs', 'two workers would run a chunk'],
  [['deliveryMs'], 'jobMs', 'two workers would post to a receiver'],
  [['mailMs'], 'jobMs', 'two workers would send a mail'],
  [['superviseMs'], 'heartbeatMs', 'a crashed worker would be noticed too late'],
  [['haltMs'], 'cutMs', 'connections would be closed before their checks are aborted'],
  [['cutMs'], 'endMs', 'the process would not wait for refunds after connections are closed'],
  [['endMs'], 'stopMs', 'a clean stop would be reported as too slow'],
  [['stopMs'], 'killMs', 'the host would kill a process during a clean stop'],
  [['lockMs'], 'statementMs', 'a lock would look like a slow statement'],
  [['idleInTransactionMs'], 'statementMs', 'a lost connection would hold locks for too long'],
  [['statementMs'], 'silenceMs', 'a connection would be closed while its statement runs'],
];

for (const [earlier, later, why] of deadlineOrder) {
  const sumMs = earlier.reduce((sum, name) => sum + deadlines[name], 0);
  assert(sumMs < deadlines[later], `${earlier.join(' + ')} must be shorter than ${later}: ${why}`);
}
