import { createServer, connect as dial, type Server } from 'node:net';
import { expect } from 'chai';
import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from '../../db/connect.ts';
import * as ledger from '../../db/ledger.ts';
import { divided } from '../support/divided.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords, type Records, refusal } from '../support/records.ts';

describe('a pool whose data node goes away', () => {
  let home: Records;
  let node: Records;
  let db: Db;
  let told: Error[];

  const over = (nodeUrl: string) => divided(home.url, nodeUrl, (error) => told.push(error));

  beforeEach(async () => {
    told = [];
    [home, node] = await Promise.all([borrowRecords(2), borrowRecords(2)]);
    db = over(node.url);
  });

  afterEach(async () => {
    await db.destroy();
    await Promise.all([home.giveBack(), node.giveBack()]);
  });

  const charge = (trx: Trx, accountId: number) => ledger.charge(trx, accountId, 1, { requestId: 1 });

  itOnOneServer(
    'asks the coordinator while the node is away, and the node again when it is back',
    async () => {
      await home.account(5);
      const accountId = await node.account(9);
      const port = await freePort();
      const elsewhere = over(Object.assign(new URL(node.url), { port: String(port) }).href);
      expect(await ledger.balance(elsewhere, accountId)).to.equal(5);
      await inTransaction(elsewhere, (trx) => charge(trx, accountId));
      expect(await ledger.balance(home.db, accountId)).to.equal(4);
      expect(told.map(({ message }) => message)).to.have.length(1);
      const way = await openWay(port, Number(new URL(node.url).port));
      await eventually(async () => ((await ledger.balance(elsewhere, accountId)) === 9 ? true : null));
      await elsewhere.destroy();
      way.close();
    },
  );

  itOnOneServer('takes a node that became read-only for one that is away', async () => {
    await home.account(5);
    const accountId = await node.account(9);
    const readOnly = (is: 'on' | 'off') =>
      sql.raw(
        `alter database ${new URL(node.url).pathname.slice(1)} set default_transaction_read_only = ${is}`,
      );
    await readOnly('on').execute(node.db);
    const act = () => inTransaction(db, (trx) => charge(trx, accountId));
    expect(await refusal(act())).to.include('read-only');
    await act();
    expect(await ledger.balance(home.db, accountId)).to.equal(4);
    await readOnly('off').execute(node.db);
    await eventually(async () => ((await ledger.balance(db, accountId)) === 9 ? true : null));
    expect(told).to.have.length(1);
  });

  itOnOneServer('says what is wrong with the address of the node', async () => {
    const nowhere = over(Object.assign(new URL(node.url), { pathname: '/no_such_database' }).href);
    expect(await refusal(ledger.balance(nowhere, 1))).to.include('does not exist');
    expect(told).to.deep.equal([]);
    await nowhere.destroy();
  });
});

/** Leads from one port of loopback to another. */
async function openWay(from: number, to: number): Promise<Server> {
  const server = createServer((socket) => {
    const beyond = dial(to, '127.0.0.1');
    socket.pipe(beyond).pipe(socket);
    for (const end of [socket, beyond]) end.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(from, '127.0.0.1', resolve));
  return server;
}
