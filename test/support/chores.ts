import type { PgBoss } from 'pg-boss';
import { createAllowance } from '../../accounts/allowance.ts';
import { createRequestIds } from '../../db/batches/request-ids.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { createSecretBox } from '../../process/secret-box.ts';
import { type ChoreDeps, runDueChores } from '../../upkeep/chores.ts';
import { silentLog } from './log.ts';
import { secretKey } from './service.ts';

/** Runs the due chores of a web process, or of a worker. */
export function runChores(
  db: Db,
  boss: PgBoss,
  deps: Partial<ChoreDeps> = {},
  options: { isWorker?: boolean } = {},
): Promise<void> {
  const all = {
    db,
    boss,
    log: silentLog,
    mail: 'off' as const,
    allowance: createAllowance(db, { isOff: true }),
    requestIds: createRequestIds(db),
    baseUrl: 'http://localhost',
    secretBox: createSecretBox(secretKey),
    retention: { days: 90, historyDays: 1100 },
  };
  return runDueChores({ ...all, ...deps }, options);
}
