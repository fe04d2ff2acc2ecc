import { expect } from 'chai';
import { sql } from 'kysely';
import * as accounts from '../../db/accounts.ts';
import { type Db, inTransaction, type Trx } from '../../db/connect.ts';
import { nextIds } from '../../db/counted-ids.ts';
import * as ledger from '../../db/ledger.ts';
import { inPromptTransaction, sideBySide } from '../../db/prompt-transaction.ts';
import { divided } from '../support/divided.ts';
import { eventually } from '../support/eventually.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords, type Records, refusal } from '../support/records.ts';

/** Two databases, so that it is seen which of them was asked. */
describe('a pool over a data node and the coordinator', () => {
  let home: Records;
  let node: Records;
  let db: Db;
  let onHalf: () => void;

  beforeEach(async () => {
    onHalf = () => {};
    [home, node] = await Promise.all([borrowRecords(2), borrowRecords(2)]);
    db = divided(
      home.url,
      node.url,
      () => {},
      () => onHalf(),
    );
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

  itOnOneServer('tells when the node has committed and the coordinator has not', async () => {
    const accountId = await accountWith(5);
    onHalf = () => {
      throw new Error('killed here');
    };
    const act = (fails: boolean) => async (trx: Trx) => {
      await note(trx, 'note 1');
      await charge(trx, accountId);
      if (fails) throw new Error('thought better of it');
    };
    expect(await refusal(inPromptTransaction(db, act(true)))).to.equal('thought better of it');
    expect(await refusal(inPromptTransaction(db, act(false)))).to.equal('killed here');
    expect(await ledger.balance(node.db, accountId)).to.equal(4);
    expect(await notes(home)).to.deep.equal([]);
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
});
