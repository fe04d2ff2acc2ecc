import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import type { Engines } from '../checks/engines.ts';
import type { Config } from '../config/config.ts';
import type { RequestIds } from '../db/batches/request-ids.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { MailMode } from '../mail/enqueue.ts';
import type { PassFailPoint } from '../process/fail-point.ts';
import type { FairLimit } from '../process/fair-limit.ts';
import type { Log } from '../process/log.ts';
import type { SecretBox } from '../process/secret-box.ts';
import type { WebhookTestDeps } from '../webhooks/test.ts';
import type { Metrics } from './http/metrics.ts';

/** Dependencies of handlers, created once per process. */
export interface Context extends Engines {
  config: Config;
  log: Log;
  db: Db;
  boss: PgBoss;
  secretBox: SecretBox;
  mail: MailMode;
  requestIds: RequestIds;
  metrics: Metrics;
  /** Limits writes to half of the process's database connections. Accounts share them fairly. */
  acceptanceLimit: FairLimit;
  allowance: Allowance;
  /** Limits exports and result lists that are being sent. */
  exports: FairLimit;
  /** Limits queries for pages of exports and result lists. */
  exportPages: FairLimit;
  /** Limits queries over many rows, such as searches and comparisons. */
  longQueries: FairLimit;
  /** Aborted when the process begins to stop. Requests that wait for a batch then get a response immediately. */
  closing: AbortSignal;
  /** Aborted `haltMs` after `closing`. Checks in flight then end. */
  stopping: AbortSignal;
  failPoint: PassFailPoint;
}

export function getWebhookTestDeps(context: Context): WebhookTestDeps & { allowance: Allowance } {
  const { db, secretBox, allowance, config, policy, resolver, stopping: signal } = context;
  return {
    db,
    secretBox,
    allowance,
    sender: { policy, resolver, userAgent: config.checks.userAgent, signal },
    baseUrl: config.web.baseUrl,
  };
}
