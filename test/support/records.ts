import * as accounts from '../../db/accounts/accounts.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { type Connection, connect, inTransaction } from '../../db/postgres/connect.ts';
import { createSecretBox, type SecretBox } from '../../process/secret-box.ts';
import { borrowDatabase } from './postgres.ts';
import { secretKey } from './service.ts';

/** A database of its own for tests of the verbs, without any process. */
export interface Records extends Connection {
  url: string;
  box: SecretBox;
  account(credits?: number): Promise<number>;
  giveBack(): Promise<void>;
}

/** `way` answers by what way the database is reached, `borrow` the database itself. */
export async function borrowRecords(
  connections = 10,
  way?: (url: string) => Promise<string>,
  borrow = borrowDatabase,
): Promise<Records> {
  const { url: direct, giveBack } = await borrow();
  const url = (await way?.(direct)) ?? direct;
  const connection = connect(url, connections, () => {});
  const box = createSecretBox(secretKey);
  return {
    ...connection,
    url,
    box,
    account: async (credits = 0) => {
      const { accountId } = await accounts.create(connection.db, box);
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

/** The message with which something is refused; fails when it is not. */
export async function refusal(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: Error) => error.message,
  );
}
