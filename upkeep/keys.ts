import { isOpenable, renewSecrets, sealCanary } from '../db/accounts/sealed.ts';
import { renewSecrets as renewFactors } from '../db/accounts/second-factors.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { Log } from '../process/log.ts';
import type { SecretBox } from '../process/secret-box.ts';

const stepMax = 500;

/**
 * Says at a start when SECRET_KEY is not the one that this database was used with; a new database is given
 * its canary.
 */
export async function checkKey(db: Db, box: SecretBox, log: Log): Promise<void> {
  if ((await isOpenable(db, box)) === null) await sealCanary(db, box);
  if (await isOpenable(db, box)) return;
  log.error('SECRET_KEY does not open what this database keeps; set SECRET_KEY_PREVIOUS to the one before');
}

/**
 * Seals everything by the key of today that the one before it had sealed, and answers how many accounts and second
 * factors that concerned.
 */
export async function renewAll(db: Db, box: SecretBox): Promise<number> {
  if (!box.hasPrevious) return 0;
  let renewedInAll = 0;
  let afterId: number | null = 0;
  while (afterId !== null) {
    const { renewed, lastId }: { renewed: number; lastId: number | null } = await renewSecrets(
      db,
      box,
      afterId,
      stepMax,
    );
    renewedInAll += renewed;
    afterId = lastId;
  }
  renewedInAll += await renewFactors(db, box);
  // Last, for it says that the key before may be forgotten.
  if (await isOpenable(db, box)) await sealCanary(db, box, { isReplaced: true });
  return renewedInAll;
}
