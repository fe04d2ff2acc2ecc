import { createServer, connect as dial, type Server } from 'node:net';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as accounts from '../../db/accounts.ts';
import { type Db, inTransaction, openPool, queriesBy, type Trx } from '../../db/connect.ts';
import { nextIds } from '../../db/counted-ids.ts';
import { dividedPool } from '../../db/divided-pool.ts';
import * as ledger from '../../db/ledger.ts';
import { inPromptTransaction, sideBySide } from '../../db/prompt-transaction.ts';
import { renewing } from '../../db/renewing-pool.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords, type Records, refusal } from '../support/records.ts';

/** Two databases, so that it is seen which of them was asked. */
describe('a pool over a data node and the coordinator', () => {
  let home: Records;
  let node: Records;
  let db: Db;
  let told: Error[];
  let halves: string[];

  const over = (nodeUrl: string) => {
    const pool = (url: string) => renewing(openPool(url, 2, () => {}).pool);
    const tell = (error: Error) => told.push(error);
    return queriesBy(dividedPool(pool(home.url), pool(nodeUrl), tell, () => halves.push('at the node')));
  };

  beforeEach(async () => {
    told = [];
    halves = [];
    [home, node] = await Promise.all([borrowRecords(2), borrowRecords(2)]);
    db = over(node.url);
  });

  afterEach(async () => {
    await db.destroy();
    await Promise.all([home.giveBack(), node.giveBack()]);
  });

  let requestId = 0;
  const charge = (trx: Trx, accountId: number, amount = 1) => {
    requestId += 1;
    return ledger.charge(trx, accountId, amount, { requestId });
  };
  const note = (to: Db, name: string) =>
    sql`insert into chores (chore, done_at) values (${name}, now())`.execute(to);
  const notes = async ({ db: at }: Records) =>
    (
      await sql<{
        name: string;
      }>`select chore as name from chores where chore like 'note %' order by chore`.execute(at)
    ).rows.map(({ name }) => name);

  /** An account that both have under the same number, and so many credits at the node. */
  const accountWith = async (credits: number) => {
    await home.account(0);
    return node.account(credits);
  };

  itOnOneServer('asks each for what is there', async () => {
    const accountId = await accountWith(5);
    expect(await ledger.balance(db, accountId)).to.equal(5);
    await note(db, 'note 1');
    expect(await notes(home)).to.deep.equal(['note 1']);
    expect(await notes(node)).to.deep.equal([]);
  });

  itOnOneServer('commits at both, and rolls back at both', async () => {
    const accountId = await accountWith(5);
    const act = (name: string) => async (trx: Trx) => {
      await note(trx, name);
      await charge(trx, accountId);
      return name;
    };
    await inTransaction(db, act('note 1'));
    await inPromptTransaction(db, act('note 2'));
    expect(halves).to.have.length(2);
    expect(await notes(home)).to.deep.equal(['note 1', 'note 2']);
    expect(await ledger.balance(node.db, accountId)).to.equal(3);
    for (const open of [inTransaction, inPromptTransaction]) {
      const fails = async (trx: Trx) => {
        await act('note 3')(trx);
        throw new Error('thought better of it');
      };
      expect(await refusal(open(db, fails))).to.equal('thought better of it');
    }
    expect(await notes(home)).to.deep.equal(['note 1', 'note 2']);
    expect(await ledger.balance(node.db, accountId)).to.equal(3);
  });

  itOnOneServer('commits nowhere what has failed at one of them', async () => {
    const accountId = await accountWith(5);
    const swallows = async (trx: Trx) => {
      await sideBySide([charge(trx, accountId), note(trx, 'note 1'), note(trx, 'note 1')]).catch(() => {});
    };
    expect(await refusal(inPromptTransaction(db, swallows))).to.equal('the transaction was rolled back');
    const tooMuch = async (trx: Trx) => {
      await note(trx, 'note 1');
      await charge(trx, accountId, 6);
    };
    expect(await refusal(inTransaction(db, tooMuch))).to.include('credits');
    expect(await notes(home)).to.deep.equal([]);
    expect(await ledger.balance(node.db, accountId)).to.equal(5);
  });

  itOnOneServer('keeps what the node has committed when the coordinator does not follow', async () => {
    const accountId = await accountWith(5);
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise ''refused''; end'`.execute(
      home.db,
    );
    await sql`create constraint trigger refuse after insert on chores deferrable initially deferred
      for each row execute function refuse()`.execute(home.db);
    const act = async (trx: Trx) => {
      await charge(trx, accountId);
      await note(trx, 'note 1');
    };
    expect(await refusal(inTransaction(db, act))).to.include('refused');
    expect(await notes(home)).to.deep.equal([]);
    expect(await ledger.balance(node.db, accountId)).to.equal(4);
  });

  itOnOneServer('commits nowhere what the coordinator has ended meanwhile', async () => {
    const accountId = await accountWith(5);
    const loses = async (trx: Trx) => {
      await charge(trx, accountId);
      await note(trx, 'note 1');
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(home.db);
    };
    await refusal(inTransaction(db, loses));
    expect(await notes(home)).to.deep.equal([]);
    expect(await ledger.balance(node.db, accountId)).to.equal(5);
  });

  itOnOneServer('lets each half wait for the other longer than one server would', async () => {
    const accountId = await accountWith(5);
    const patience = (trx: Trx, from: ReturnType<typeof sql>) =>
      sql<{
        is: string;
      }>`select current_setting('idle_in_transaction_session_timeout') as is ${from}`.execute(trx);
    const act = async (trx: Trx) => [
      ...(await patience(trx, sql`from chores limit 1`)).rows,
      ...(await patience(trx, sql`from accounts where account_id = ${accountId}`)).rows,
    ];
    await note(home.db, 'note 1');
    expect(await inTransaction(db, act)).to.deep.equal([{ is: '1min' }, { is: '1min' }]);
  });

  itOnOneServer('takes locks in the order in which they are asked for', async () => {
    const accountId = await accountWith(5);
    await note(home.db, 'note 1');
    // Both are connected to.
    await Promise.all([note(db, 'note 2'), ledger.balance(db, accountId)]);
    const holder = await home.db.startTransaction().execute();
    await sql`select from chores where chore = 'note 1' for update`.execute(holder);
    const waits = inPromptTransaction(db, async (trx) => {
      await sideBySide([
        sql`update chores set done_at = now() where chore = 'note 1'`.execute(trx),
        charge(trx, accountId),
      ]);
    });
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(home.db);
      return rows.length > 0 ? true : null;
    });
    // It has not asked for the account's lock yet.
    const look = sql`select from accounts where account_id = ${accountId} for update nowait`.execute(node.db);
    await look.finally(() => holder.commit().execute());
    await waits;
    expect(await ledger.balance(node.db, accountId)).to.equal(4);
  });

  itOnOneServer('counts ids at the coordinator', async () => {
    await sql`select setval('subject_ids', ${2 ** 48})`.execute(node.db);
    const accountId = await accountWith(5);
    const ids = await inTransaction(db, async (trx) => {
      await charge(trx, accountId);
      return nextIds(trx, 'subject_ids', 3);
    });
    expect(ids).to.deep.equal([1, 2, 3]);
  });

  itOnOneServer('asks the coordinator for all of an account that is made', async () => {
    const accountId = await inTransaction(db, async (trx) => {
      const made = await accounts.create(trx, home.box);
      await ledger.grant(trx, made.accountId, 7, null);
      return made.accountId;
    });
    expect(await ledger.balance(home.db, accountId)).to.equal(7);
    expect(await node.db.selectFrom('accounts').selectAll().execute()).to.deep.equal([]);
  });

  itOnOneServer(
    'asks the coordinator while the node is away, and the node again when it is back',
    async () => {
      await home.account(5);
      const accountId = await node.account(9);
      const port = await freePort();
      const divided = over(Object.assign(new URL(node.url), { port: String(port) }).href);
      expect(await ledger.balance(divided, accountId)).to.equal(5);
      await inTransaction(divided, (trx) => charge(trx, accountId));
      expect(await ledger.balance(home.db, accountId)).to.equal(4);
      expect(told.map(({ message }) => message)).to.have.length(1);
      const way = await openWay(port, Number(new URL(node.url).port));
      await eventually(async () => ((await ledger.balance(divided, accountId)) === 9 ? true : null));
      await divided.destroy();
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
