import assert from 'node:assert/strict';

/** How long things may take where one waits for another; the order they must keep stands below. */
export const deadlines = {
  /** One HTTP check with all hops and the body: the most that CHECK_TIMEOUT_MS may say. */
  httpCheckMaxMs: 20_000,
  /** A single check of any type; what is left of the answer's time is for the transactions around it. */
  singleCheckMs: 24_000,
  /** The interface promises an answer to a single check within this. */
  answerMs: 25_000,
  /** A single check that is still open is nobody's any more: the sweep gives its credit back. */
  singleCheckOrphanedMs: 35_000,
  /** One reading of a sitemap, with all that its index names, while somebody waits. */
  sitemapMs: 20_000,

  /** After this a chunk starts nothing more. */
  sliceMs: 20_000,
  /** One search of a batch, with all its pages. */
  searchMs: 120_000,
  /** One attempt at a delivery. */
  deliveryMs: 15_000,
  /** One try at a mail. */
  mailMs: 60_000,
  /** A job that has run for so long is given to another worker. */
  jobMs: 300_000,
  /** How often somebody looks for jobs whose worker is silent, and how long a silence means death. */
  superviseMs: 3_000,
  heartbeatMs: 10_000,

  /**
   * From SIGTERM on: what is in flight gives up, what still hangs is cut, nothing is waited for any more, the
   * process ends whatever it does, the host kills it.
   */
  haltMs: 15_000,
  cutMs: 20_000,
  endMs: 22_000,
  stopMs: 25_000,
  killMs: 30_000,

  /** In the database: waiting for a lock, a transaction that does nothing, one statement. */
  lockMs: 5_000,
  idleInTransactionMs: 10_000,
  statementMs: 30_000,
  /**
   * A connection that says nothing for so long is lost: the network may lose one without telling either side.
   */
  silenceMs: 35_000,
} as const;

type Name = keyof typeof deadlines;

/**
 * What must end before what, and what would go wrong. What stands together on the left takes its time in
 * turn.
 */
export const order: ReadonlyArray<[earlier: Name[], later: Name, why: string]> = [
  [['httpCheckMaxMs'], 'singleCheckMs', 'a slow target would be our failure and not an answer'],
  [['singleCheckMs'], 'answerMs', 'no time would be left to charge and to settle'],
  [['answerMs'], 'singleCheckOrphanedMs', 'a check would be given back that is about to be answered'],
  [['sitemapMs'], 'answerMs', 'whoever waits for the list would be hung up on'],
  // Waiting for places at hosts may take a check as long once more.
  [['sliceMs', 'httpCheckMaxMs', 'httpCheckMaxMs'], 'jobMs', 'a chunk would be worked by two'],
  [['sliceMs', 'searchMs'], 'jobMs', 'a chunk would be worked by two'],
  [['deliveryMs'], 'jobMs', 'a receiver would be posted to by two'],
  [['mailMs'], 'jobMs', 'a mail would be sent by two'],
  [['superviseMs'], 'heartbeatMs', 'a dead worker would be noticed long after its death'],
  [['haltMs'], 'cutMs', 'connections would be cut before checks have given up'],
  [['cutMs'], 'endMs', 'nobody would wait for what is given back when connections are cut'],
  [['endMs'], 'stopMs', 'a stop in good order would look like one that hangs'],
  [['stopMs'], 'killMs', 'the host would kill what is stopping in good order'],
  [['lockMs'], 'statementMs', 'a lock would look like a slow statement'],
  [['idleInTransactionMs'], 'statementMs', 'a lost holder of locks would outlast those who wait for them'],
  [['statementMs'], 'silenceMs', 'a connection would be given up that is still at work'],
];

for (const [earlier, later, why] of order) {
  const sumMs = earlier.reduce((sum, name) => sum + deadlines[name], 0);
  assert(sumMs < deadlines[later], `${earlier.join(' + ')} must be shorter than ${later}: ${why}`);
}
