import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { type Connection, connect } from '../../db/postgres/connect.ts';
import { type ChunkPayload, createBoss, listenForJobs } from '../../db/queue/queue.ts';
import { FairLimit, type FairLimitOptions } from '../../process/fair-limit.ts';
import type { Log } from '../../process/log.ts';
import { JobFetcher } from '../../worker/job-fetcher.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/log.ts';
import { borrowDatabase } from '../support/postgres.ts';

const queue = 'http-checks';

describe('JobFetcher', () => {
  let database: Awaited<ReturnType<typeof borrowDatabase>>;
  let connection: Connection;
  let boss: PgBoss;
  let fetchers: JobFetcher<ChunkPayload>[];
  let letGo: () => void;
  let begun: number[];

  beforeEach(async () => {
    database = await borrowDatabase();
    connection = connect(database.url, 2, () => {});
    boss = createBoss({ url: database.url, backend: 'postgres', max: 2, role: 'worker' });
    boss.on('error', () => {});
    await boss.start();
    fetchers = [];
    begun = [];
  });

  afterEach(async () => {
    letGo();
    await Promise.all(fetchers.map((fetcher) => fetcher.stop(5000)));
    await boss.stop({ graceful: false });
    await connection.close();
    await database.giveBack();
  });

  function enqueue(accountId: number, count: number): Promise<unknown> {
    const jobs = Array.from({ length: count }, () => ({
      id: randomUUID(),
      data: { account_id: accountId, batch_id: randomUUID(), chunk_id: 1 },
      group: { id: String(accountId) },
    }));
    return boss.insert(queue, jobs);
  }

  /** Starts a fetcher whose jobs wait until `letGo` is called. Jobs of account 13 then fail. */
  function startFetcher(slots: FairLimitOptions, log = silentLog) {
    const { promise: isLetGo, resolve } = Promise.withResolvers<void>();
    letGo = resolve;
    const run = async ({ data }: JobWithMetadata<ChunkPayload>) => {
      begun.push(data.account_id);
      await isLetGo;
      if (data.account_id === 13) throw new Error('bad luck');
    };
    const fetcher = new JobFetcher<ChunkPayload>({ boss, log, queue, slots: new FairLimit(slots), run });
    fetchers.push(fetcher);
    fetcher.start();
    return fetcher;
  }

  const states = async () => (await boss.findJobs(queue)).map(({ state }) => state).sort();

  it('starts the job of an account without jobs, beside any number of accounts at their limit', async () => {
    for (let greedy = 1; greedy <= 20; greedy++) await enqueue(greedy, 10);
    startFetcher({ total: 60, perAccount: 5, reserved: 40 });
    // Four accounts get five slots each. After that, each other account gets one slot.
    await eventually(async () => (begun.length >= 36 ? true : null));
    await enqueue(99, 3);
    await eventually(async () => (begun.includes(99) ? true : null));
    expect(begun.filter((accountId) => accountId === 99)).to.have.lengthOf(1);
    expect(begun).to.have.lengthOf(37);
  });

  it('completes jobs that end well, and fails those that throw, with one line that names the job', async () => {
    await enqueue(1, 2);
    await enqueue(13, 1);
    const lines: Record<string, unknown>[] = [];
    const log = { ...silentLog, error: (_: string, fields: object) => lines.push({ ...fields }) };
    startFetcher({ total: 10, perAccount: 5, reserved: 5 }, log as unknown as Log);
    letGo();
    await eventually(async () =>
      (await states()).join() === 'completed,completed,retry' || begun.length > 3 ? true : null,
    );
    expect(lines[0]).to.include({ queue, accountId: 13, chunkId: 1 });
    expect(lines[0]).to.have.property('jobId');
  });

  it('runs two jobs of a group at a time, moves on to other groups, and postpones those of an account at its limit', async () => {
    const postponed: string[] = [];
    const order: string[] = [];
    const { promise: isLetGo, resolve } = Promise.withResolvers<void>();
    letGo = resolve;
    const fetcher = new JobFetcher<ChunkPayload>({
      boss,
      log: silentLog,
      queue,
      slots: new FairLimit({ total: 10, perAccount: 3 }),
      run: ({ groupId }) => {
        order.push(groupId ?? '');
        return isLetGo;
      },
      groups: { limit: 2, postpone: async ({ groupId }) => void postponed.push(groupId ?? '') },
    });
    fetchers.push(fetcher);
    const groups = ['1 hanging', '1 hanging', '1 hanging', '1 fine', '1 third', '2 hanging'];
    const jobs = groups.map((id, nth) => ({
      data: { account_id: Number(id[0]), batch_id: randomUUID(), chunk_id: 1 },
      group: { id },
      priority: -nth,
    }));
    await boss.insert(queue, jobs);
    fetcher.start();
    await eventually(async () => (order.length === 4 ? true : null));
    expect(order).to.deep.equal(['1 hanging', '1 hanging', '1 fine', '2 hanging']);
    expect(postponed).to.deep.equal(['1 third']);
    letGo();
    await eventually(async () => (order.length === 5 ? true : null));
    expect(order.at(-1)).to.equal('1 hanging');
  });

  it('wakes up for a new job, and returns unfinished jobs at the end', async () => {
    const fetcher = startFetcher({ total: 10, perAccount: 5, reserved: 5 });
    const rung: (string | null)[] = [];
    const stopListening = await listenForJobs(connection.db, boss, (name) => {
      rung.push(name);
      fetcher.wake();
    });
    await enqueue(1, 1);
    await eventually(async () => (begun.length === 1 ? true : null));
    expect(rung).to.include(queue);
    await fetcher.stop(1);
    expect(await states()).to.deep.equal(['retry']);
    await stopListening();
  });
});
