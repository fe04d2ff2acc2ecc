import type { PgBoss } from 'pg-boss';
import type { NetworkHealth } from '../checks/network-health.ts';
import type { CheckSlots } from '../checks/slots.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { Log } from '../log.ts';
import type { AddressPolicy } from '../net/address.ts';
import type { NameResolver } from '../net/resolver.ts';
import type { PassFailPoint } from '../process.ts';

/** What jobs may use; made once by the entry. */
export interface WorkerContext {
  config: Config;
  log: Log;
  db: Db;
  boss: PgBoss;
  box: SecretBox;
  policy: AddressPolicy;
  resolver: NameResolver;
  slots: CheckSlots;
  health: NetworkHealth;
  /** Aborted at SIGTERM: nothing new is started. */
  stopping: AbortSignal;
  /** Aborted some seconds later: what is in flight gives up. */
  halting: AbortSignal;
  pass: PassFailPoint;
}
