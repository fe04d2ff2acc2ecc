import { reencryptSecrets as renewFactors } from '../db/accounts/second-factors.ts';
import { canDecrypt, reencryptSecrets, sealCanary } from '../db/accounts/secret-rotation.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { Log } from '../process/log.ts';
import type { SecretBox } from '../process/secret-box.ts';

const stepMax = 500;

/** Logs an error if SECRET_KEY does not decrypt this database. Creates the canary of a new database. */
export async function checkKey(db: Db, secretBox: SecretBox, log: Log): Promise<void> {
  if ((await canDecrypt(db, secretBox)) === null) await sealCanary(db, secretBox);
  if (await canDecrypt(db, secretBox)) return;
  log.error('SECRET_KEY cannot decrypt this database. Set SECRET_KEY_PREVIOUS to the previous key.');
}

/**
 * Re-encrypts with the current key everything that the previous key encrypted. Returns the number of changed accounts
 * and second factors.
 */
export async function reencryptAll(db: Db, secretBox: SecretBox): Promise<number> {
  if (!secretBox.hasPrevious) return 0;
  let total = 0;
  let afterId: number | null = 0;
  while (afterId !== null) {
    const { renewed, lastId }: { renewed: number; lastId: number | null } = await reencryptSecrets(
      db,
      secretBox,
      afterId,
      stepMax,
    );
    total += renewed;
    afterId = lastId;
  }
  total += await renewFactors(db, secretBox);
  // Last, because the new canary shows that the previous key is not needed any more.
  if (await canDecrypt(db, secretBox)) await sealCanary(db, secretBox, { isReplaced: true });
  return total;
}
