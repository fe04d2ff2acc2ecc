import { reencryptSecrets as renewFactors } from '../db/accounts/second-factors.ts';
import { canDecrypt, reencryptSecrets, storeKeyCanary } from '../db/accounts/secret-rotation.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { Log } from '../process/log.ts';
import type { SecretBox } from '../process/secret-box.ts';

/**
 * Logs an error if SECRET_KEY cannot decrypt the stored secrets. In a new database, stores the encrypted canary first.
 */
export async function checkKey(db: Db, secretBox: SecretBox, log: Log): Promise<void> {
  if ((await canDecrypt(db, secretBox)) === null) await storeKeyCanary(db, secretBox);
  if (await canDecrypt(db, secretBox)) return;
  log.error('SECRET_KEY cannot decrypt this database. Set SECRET_KEY_PREVIOUS to the previous key.');
}

/**
 * Re-encrypts all secrets that were encrypted with the previous key. Returns the number of changed accounts and second
 * factors.
 */
export async function reencryptAll(db: Db, secretBox: SecretBox): Promise<number> {
  if (!secretBox.hasPrevious) return 0;
  const renewed = (await reencryptSecrets(db, secretBox)) + (await renewFactors(db, secretBox));
  // The canary is replaced last, because a replaced canary means that the previous key is no longer needed.
  if (await canDecrypt(db, secretBox)) await storeKeyCanary(db, secretBox, { isReplaced: true });
  return renewed;
}
