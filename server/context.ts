import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import type { Engines } from '../checks/engines.ts';
import type { Config } from '../config/config.ts';
import type { RequestIds } from '../db/batches/request-ids.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { MailMode } from '../mail/owe.ts';
import type { PassFailPoint } from '../process/fail-point.ts';
import type { FairLimit } from '../process/fair-limit.ts';
import type { Log } from '../process/log.ts';
import type { SecretBox } from '../process/secret-box.ts';
import type { Tester } from '../webhooks/test.ts';
import type { Metrics } from './http/metrics.ts';

/** What handlers may use; made once by the entry. */
export interface Context extends Engines {
  config: Config;
  log: Log;
  db: Db;
  boss: PgBoss;
  box: SecretBox;
  /** How mails leave, if they do. */
  mail: MailMode;
  requestIds: RequestIds;
  metrics: Metrics;
  /** Lets at most half of the process's connections be in acceptance at once, shared between accounts. */
  acceptance: FairLimit;
  allowance: Allowance;
  /** Exports and results in flight in this process. */
  exports: FairLimit;
  /** Their pages that are read and written at once. */
  exportPages: FairLimit;
  /** Queries of many rows: searches, comparisons, lists that are checked again. */
  longQueries: FairLimit;
  /** Aborted when the process begins to stop: who only waits is answered at once. */
  closing: AbortSignal;
  /** Aborted when the process must end: checks still in flight then give up. */
  stopping: AbortSignal;
  failPoint: PassFailPoint;
}

/** What a webhook test takes of the process. */
export function testerOf(context: Context): Tester & { allowance: Allowance } {
  const { db, box, allowance, config, policy, resolver, stopping: signal } = context;
  return {
    db,
    box,
    allowance,
    sender: { policy, resolver, userAgent: config.checks.userAgent, signal },
    payload: { baseUrl: config.web.baseUrl, retentionDays: config.retention.days },
  };
}
