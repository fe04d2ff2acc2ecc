import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import type { BatchEndWatcher } from '../batches/end-watcher.ts';
import type { Engines } from '../checks/engines.ts';
import type { Config } from '../config/config.ts';
import type { RequestIds } from '../db/batches/request-ids.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { MailMode } from '../mail/enqueue.ts';
import type { PassFailPoint } from '../process/fail-point.ts';
import type { Log } from '../process/log.ts';
import type { SecretBox } from '../process/secret-box.ts';

export interface WorkerContext extends Engines {
  config: Config;
  log: Log;
  db: Db;
  boss: PgBoss;
  allowance: Allowance;
  requestIds: RequestIds;
  batchEndWatcher: BatchEndWatcher;
  secretBox: SecretBox;
  mail: MailMode;
  /** Aborted at SIGTERM. After this, no new work starts. */
  stopping: AbortSignal;
  /** Aborted some seconds after `stopping`, to interrupt work in flight. */
  halting: AbortSignal;
  failPoint: PassFailPoint;
}
