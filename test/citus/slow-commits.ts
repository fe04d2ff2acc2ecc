import pg from 'pg';

/** What writes at an account's node and at the coordinator; the node sees one row of `batches`. */
export type SlowAct = 'accepting' | 'ending';

const seconds = 1.5;
const operations: Record<SlowAct, string> = { accepting: 'INSERT', ending: 'UPDATE' };

/**
 * Makes data nodes slow to commit what is wanted: a trigger that is deferred until the commit, on the shards
 * themselves, so that the coordinator waits in the middle of its own.
 */
export class SlowCommits {
  readonly #nodes: pg.Client[];

  private constructor(nodes: pg.Client[]) {
    this.#nodes = nodes;
  }

  /** `urls`: the database at each data node, as a superuser. */
  static async install(urls: string[]): Promise<SlowCommits> {
    const nodes = urls.map((connectionString) => new pg.Client({ connectionString }));
    for (const node of nodes) {
      await node.connect();
      await node.query(`
        set citus.override_table_visibility = off;
        set citus.enable_manual_changes_to_shards = on;
        set citus.enable_ddl_propagation = off;
        set citus.enable_unsafe_triggers = on;
        create schema kills;
        create table kills.wanted (account_id bigint, operation text);
        create table kills.committed (batch_id uuid, operation text);
        create function kills.commit_slowly() returns trigger language plpgsql security definer as $$
          begin
            if exists (select from kills.wanted where account_id = new.account_id and operation = tg_op) then
              insert into kills.committed values (new.batch_id, tg_op);
              perform pg_sleep(${seconds});
            end if;
            return null;
          end $$`);
      const { rows } = await node.query<{ shard: string }>(
        `select oid::regclass::text as shard from pg_class where relkind = 'r' and relname ~ '^batches_[0-9]+$'`,
      );
      if (rows.length === 0) throw new Error('a data node has no shards of batches');
      for (const { shard } of rows) {
        await node.query(`
          create constraint trigger accepts_slowly after insert on ${shard} deferrable initially deferred
            for each row execute function kills.commit_slowly();
          create constraint trigger ends_slowly after update on ${shard} deferrable initially deferred
            for each row when (old.completed_at is null and new.completed_at is not null)
            execute function kills.commit_slowly()`);
      }
    }
    return new SlowCommits(nodes);
  }

  /** From now on, for an account; null for nobody. */
  async want(accountId: number | null, act: SlowAct): Promise<void> {
    for (const node of this.#nodes) {
      await node.query('truncate kills.wanted');
      if (accountId !== null)
        await node.query('insert into kills.wanted values ($1, $2)', [accountId, operations[act]]);
    }
  }

  /** Whether any is in the middle of such a commit. */
  async isCommitting(): Promise<boolean> {
    return (await this.#count(`select from pg_stat_activity where wait_event = 'PgSleep'`)) > 0;
  }

  /** The batches that nodes have committed slowly since this was last asked. */
  async takeCommitted(): Promise<string[]> {
    const answers = this.#nodes.map(async (node) => {
      const { rows } = await node.query<{ batchId: string }>(
        'delete from kills.committed returning batch_id as "batchId"',
      );
      return rows.map(({ batchId }) => batchId);
    });
    return (await Promise.all(answers)).flat();
  }

  /** Transactions that are prepared at data nodes and not ended. */
  async countPrepared(): Promise<number> {
    return this.#count('select from pg_prepared_xacts');
  }

  async #count(query: string): Promise<number> {
    const answers = await Promise.all(this.#nodes.map((node) => node.query(query)));
    return answers.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.end().catch(() => {})));
  }
}
