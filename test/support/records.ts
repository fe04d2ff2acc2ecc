import * as accounts from '../../db/accounts/accounts.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { type Connection, connect, inTransaction } from '../../db/postgres/connect.ts';
import { createSecretBox, type SecretBox } from '../../process/secret-box.ts';
import { borrowDatabase } from './postgres.ts';
import { secretKey } from './service.ts';

/** A database of its own for tests of records, without any process. */
export interface Records extends Connection {
  url: string;
  secretBox: SecretBox;
  account(credits?: number): Promise<number>;
  giveBack(): Promise<void>;
}

/**
 * Lends a suite a database. Its fields are set when the suite's hooks have run. `isForEach`: a new database for each
 * test.
 */
export function useRecords({ connections = 10, isForEach = false } = {}): Records {
  const records = {} as Records;
  const [begin, end] = isForEach ? [beforeEach, afterEach] : [before, after];
  begin(async () => void Object.assign(records, await borrowRecords(connections)));
  end(() => records.giveBack());
  return records;
}

/** `proxy` returns the URL of a proxy in front of the database, `borrow` the database itself. */
export async function borrowRecords(
  connections = 10,
  proxy?: (url: string) => Promise<string>,
  borrow = borrowDatabase,
): Promise<Records> {
  const { url: direct, giveBack } = await borrow();
  const url = (await proxy?.(direct)) ?? direct;
  const connection = connect(url, connections, () => {});
  const secretBox = createSecretBox(secretKey);
  return {
    ...connection,
    url,
    secretBox,
    account: async (credits = 0) => {
      const { accountId } = await accounts.create(connection.db, secretBox);
      if (credits > 0)
        await inTransaction(connection.db, (trx) => ledger.grant(trx, accountId, credits, null));
      return accountId;
    },
    giveBack: async () => {
      await connection.close();
      await giveBack();
    },
  };
}

/** Returns the message of a rejection. Throws when the promise is fulfilled. */
export async function refusal(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => {
      throw new Error('the promise was not rejected');
    },
    (error: Error) => error.message,
  );
}
