import { expect } from 'chai';
import { sql } from 'kysely';
import { type LeaseOptions, ProviderLeases } from '../../../db/providers/provider-leases.ts';
import { listUsage, sumByProvider } from '../../../db/providers/provider-usage.ts';
import { eventually } from '../../support/eventually.ts';
import { useRecords } from '../../support/records.ts';

describe('provider leases', () => {
  const records = useRecords();

  beforeEach(() => sql`truncate provider_leases, provider_usage`.execute(records.db));

  const gate = (options: Partial<LeaseOptions> = {}) =>
    new ProviderLeases(records.db, { concurrency: 4, dailyLimit: 0, timeoutMs: 20_000, ...options });
  const urgent = { accountId: 1, isUrgent: true };
  const patient = { accountId: 1, isUrgent: false };
  const never = new AbortController().signal;
  const held = async () => {
    const { rows } = await sql<{ held: number }>`
      select count(*) as held from provider_leases where expires_at > now()`.execute(records.db);
    return rows[0]?.held ?? 0;
  };

  it('respect the limit over all processes, and return to the database', async () => {
    // These leases do not expire during the test.
    const [one, two] = [gate({ timeoutMs: 3_600_000 }), gate({ timeoutMs: 3_600_000 })];
    let inFlight = 0;
    let most = 0;
    const areAllHeld = Promise.withResolvers<void>();
    const call = async (through: ProviderLeases) => {
      const lease = await through.acquire('p', urgent, never);
      inFlight += 1;
      most = Math.max(most, inFlight);
      if (most === 4) areAllHeld.resolve();
      await areAllHeld.promise;
      await new Promise((resolve) => setTimeout(resolve, 20));
      inFlight -= 1;
      lease.release();
    };
    await Promise.all(Array.from({ length: 30 }, (_, index) => call(index % 2 ? one : two)));
    expect(most).to.equal(4);
    await eventually(async () => ((await held()) === 0 ? true : null));
  });

  it('reserve a quarter for single checks', async () => {
    const shared = gate();
    for (let call = 0; call < 3; call++) await shared.acquire('p', patient, never);
    const gaveUp = new AbortController();
    const waiting = shared.acquire('p', patient, gaveUp.signal).catch((reason) => reason);
    expect(await shared.acquire('p', urgent, never)).to.have.property('release');
    gaveUp.abort('enough');
    expect(await waiting).to.equal('enough');
    expect(await held()).to.equal(4);
  });

  it('of dead processes are free when they expire', async () => {
    const shared = gate({ concurrency: 1 });
    await shared.acquire('p', urgent, never);
    await sql`update provider_leases set expires_at = now() - interval '1 second'`.execute(records.db);
    expect(await gate({ concurrency: 1 }).acquire('p', urgent, never)).to.have.property('release');
  });

  it('are created again after a crash of the database emptied them', async () => {
    const [one, other] = [gate({ concurrency: 1 }), gate({ concurrency: 1 })];
    await one.acquire('p', urgent, never);
    await sql`truncate provider_leases`.execute(records.db);
    expect(await other.acquire('p', urgent, never)).to.have.property('release');
    expect(await held()).to.equal(1);
  });

  it('count the pages of calls, and the answered checks', async () => {
    const counting = gate();
    for (const pages of [1, 10, 0]) counting.countPages('p', pages);
    for (let check = 0; check < 2; check++) counting.countAnswer('p');
    const totals = async () => (await sumByProvider(records.db))[0];
    await eventually(async () => ((await totals())?.answers === 2 ? true : null));
    expect(await totals()).to.deep.equal({ provider: 'p', pages: 11, answers: 2 });
  });

  it('retry failed counts later, and send the rest at the end', async () => {
    const counting = gate();
    await counting.countCall('p', never);
    await sql`alter table provider_usage rename to away`.execute(records.db);
    await counting.close();
    await sql`alter table away rename to provider_usage`.execute(records.db);
    await counting.countCall('p', never);
    counting.countAnswer('q');
    await counting.close();
    const told = await listUsage(records.db, new Date(Date.now() - 1000));
    expect(told.map(({ provider, calls, answers }) => [provider, calls, answers])).to.deep.equal([
      ['p', 2, 0],
      ['q', 0, 1],
    ]);
  });

  it('go to an account without calls first', async () => {
    const through = gate({ concurrency: 2 });
    const batch = (accountId: number) => through.acquire('p', { accountId, isUrgent: true }, never);
    const [one, two] = [await batch(1), await batch(2)];
    const order: number[] = [];
    const calls = [1, 1, 1, 3].map(async (accountId) => {
      const lease = await batch(accountId);
      order.push(accountId);
      return lease;
    });
    two.release();
    await calls[3];
    expect(order).to.deep.equal([3]);
    one.release();
    for (const call of calls) (await call).release();
  });

  it('give one account at most half of the calls of single checks', async () => {
    const through = gate();
    for (let call = 0; call < 2; call++) await through.acquire('p', urgent, never);
    const gaveUp = new AbortController();
    const third = through.acquire('p', urgent, gaveUp.signal).catch((reason) => reason);
    for (const accountId of [2, 3]) await through.acquire('p', { accountId, isUrgent: true }, never);
    gaveUp.abort('enough');
    expect(await third).to.equal('enough');
  });

  it('count calls of all processes up to the daily limit', async () => {
    const [one, two] = [gate({ dailyLimit: 20 }), gate({ dailyLimit: 20 })];
    const calls = Array.from({ length: 60 }, (_, index) => (index % 2 ? one : two).countCall('p', never));
    expect((await Promise.all(calls)).filter(Boolean)).to.have.lengthOf(20);
    const [today] = await listUsage(records.db, new Date(Date.now() - 1000));
    expect(today).to.include({ provider: 'p', calls: 20, pages: 0, answers: 0 });
  });
});
