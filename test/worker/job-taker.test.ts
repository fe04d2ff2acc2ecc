import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { type Connection, connect } from '../../db/postgres/connect.ts';
import { type ChunkPayload, createBoss, listenForJobs } from '../../db/queue/queue.ts';
import type { Log } from '../../process/log.ts';
import { JobTaker } from '../../worker/job-taker.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/log.ts';
import { borrowDatabase } from '../support/postgres.ts';

const queue = 'http-checks';

describe('a taker of jobs', () => {
  let database: Awaited<ReturnType<typeof borrowDatabase>>;
  let connection: Connection;
  let boss: PgBoss;
  let takers: JobTaker<ChunkPayload>[];
  let letGo: () => void;
  let begun: number[];

  beforeEach(async () => {
    database = await borrowDatabase();
    connection = connect(database.url, 2, () => {});
    boss = createBoss({ url: database.url, backend: 'postgres', max: 2, role: 'worker' });
    boss.on('error', () => {});
    await boss.start();
    takers = [];
    begun = [];
  });

  afterEach(async () => {
    letGo();
    await Promise.all(takers.map((taker) => taker.stop(5000)));
    await boss.stop({ graceful: false });
    await connection.close();
    await database.giveBack();
  });

  function enqueue(accountId: number, count: number, priority = 0): Promise<unknown> {
    const jobs = Array.from({ length: count }, () => ({
      id: randomUUID(),
      data: { account_id: accountId, batch_id: randomUUID(), chunk_id: 1 },
      group: { id: String(accountId) },
      priority,
    }));
    return boss.insert(queue, jobs);
  }

  /** Every job waits until it is let go. */
  function startTaker(places: { limit: number; perAccount: number; forNewcomers: number }, log = silentLog) {
    const { promise: isLetGo, resolve } = Promise.withResolvers<void>();
    letGo = resolve;
    const work = async ({ data }: JobWithMetadata<ChunkPayload>) => {
      begun.push(data.account_id);
      await isLetGo;
      if (data.account_id === 13) throw new Error('bad luck');
    };
    const taker = new JobTaker<ChunkPayload>({ boss, log, queue, places, work });
    takers.push(taker);
    taker.start();
    return taker;
  }

  const states = async () => (await boss.findJobs(queue)).map(({ state }) => state).sort();

  it('begins the job of an account that holds none, beside any number that hold what they may', async () => {
    for (let greedy = 1; greedy <= 20; greedy++) await enqueue(greedy, 10, 10);
    startTaker({ limit: 60, perAccount: 5, forNewcomers: 40 });
    // Five for each of four, and then one for each of the others.
    await eventually(async () => (begun.length >= 36 ? true : null));
    await enqueue(99, 3, -1000);
    await eventually(async () => (begun.includes(99) ? true : null));
    expect(begun.filter((accountId) => accountId === 99)).to.have.lengthOf(1);
    expect(begun).to.have.lengthOf(37);
  });

  it('looks once for each job of an account that holds what it may, and finds the others’ all the same', async () => {
    let looks = 0;
    const { fetch } = boss;
    boss.fetch = ((...args: Parameters<typeof fetch>) => {
      looks += 1;
      return fetch.apply(boss, args);
    }) as typeof fetch;
    await enqueue(1, 20);
    const taker = startTaker({ limit: 60, perAccount: 1, forNewcomers: 40 });
    await eventually(async () => (looks >= 2 ? true : null));
    const startedMs = performance.now();
    letGo();
    await eventually(async () => (begun.length === 20 ? true : null));
    // One that found nothing beside that account, one for each job, and two for each second that it took.
    expect(looks).to.be.at.most(22 + (2 * (performance.now() - startedMs)) / 1000);
    await enqueue(2, 1);
    taker.wake();
    await eventually(async () => (begun.includes(2) ? true : null));
  });

  it('completes what ends well, and fails, with one line that names it, what throws', async () => {
    await enqueue(1, 2);
    await enqueue(13, 1);
    const lines: Record<string, unknown>[] = [];
    const log = { ...silentLog, error: (_: string, fields: object) => lines.push({ ...fields }) };
    startTaker({ limit: 10, perAccount: 5, forNewcomers: 5 }, log as unknown as Log);
    letGo();
    await eventually(async () =>
      (await states()).join() === 'completed,completed,retry' || begun.length > 3 ? true : null,
    );
    expect(lines[0]).to.include({ queue, accountId: 13, chunkId: 1 });
    expect(lines[0]).to.have.property('jobId');
  });

  it('begins what waits for a place as soon as there is one, by turns, and turns away only what the line has no room for', async () => {
    const doors = new Map<string, () => void>();
    const order: string[] = [];
    const turnedAway: string[] = [];
    const nameOf = ({ data, priority }: JobWithMetadata<ChunkPayload>) => `${data.account_id}:${-priority}`;
    const taker = new JobTaker<ChunkPayload>({
      boss,
      log: silentLog,
      queue,
      places: { limit: 3, perAccount: 2, forNewcomers: 1 },
      perGroup: 1,
      line: { limit: 6, perAccount: 3, forNewcomers: 1 },
      turnAway: async (job) => void turnedAway.push(nameOf(job)),
      work: (job) => {
        order.push(nameOf(job));
        return new Promise((resolve) => doors.set(nameOf(job), resolve));
      },
    });
    takers.push(taker);
    letGo = () => {
      for (const open of doors.values()) open();
    };
    const jobs = (accountId: number, turns: number[]) =>
      turns.map((turn) => ({
        data: { account_id: accountId, batch_id: randomUUID(), chunk_id: 1 },
        group: { id: randomUUID() },
        priority: -turn,
      }));
    await boss.insert(queue, [...jobs(1, [1, 2, 3, 4, 5, 6]), ...jobs(2, [7, 8])]);
    taker.start();
    const hasBegun = (count: number) => eventually(async () => (order.length === count ? true : null));
    await hasBegun(3);
    expect(order).to.deep.equal(['1:1', '1:2', '2:7']);
    await eventually(async () => (turnedAway.length > 0 ? true : null));
    expect(turnedAway).to.deep.equal(['1:6']);
    // Of what has waited the earliest turn, but after what the queue has that comes before it.
    await boss.insert(queue, jobs(3, [2]));
    doors.get('2:7')?.();
    await hasBegun(4);
    doors.get('1:1')?.();
    await hasBegun(5);
    doors.get('1:2')?.();
    await hasBegun(6);
    // An account that holds one has to leave the last place to others.
    expect(order.slice(3)).to.deep.equal(['3:2', '2:8', '1:3']);
    expect(turnedAway).to.have.lengthOf(1);
    await taker.stop(1);
    // What waited, and what was under way, is for another process.
    expect((await states()).filter((state) => state === 'retry')).to.have.lengthOf(5);
  });

  it('is woken by a job that is new, and gives back at the end what it cannot finish', async () => {
    const taker = startTaker({ limit: 10, perAccount: 5, forNewcomers: 5 });
    const rung: (string | null)[] = [];
    const stopListening = await listenForJobs(connection.db, boss, (name) => {
      rung.push(name);
      taker.wake();
    });
    await enqueue(1, 1);
    await eventually(async () => (begun.length === 1 ? true : null));
    expect(rung).to.include(queue);
    await taker.stop(1);
    expect(await states()).to.deep.equal(['retry']);
    await stopListening();
  });
});
