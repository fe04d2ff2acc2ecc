import { expect } from 'chai';
import { sql } from 'kysely';
import { type LeaseOptions, ProviderLeases } from '../../../db/providers/provider-leases.ts';
import { providerTotals, usage } from '../../../db/providers/provider-usage.ts';
import { eventually } from '../../support/eventually.ts';
import { borrowRecords, type Records } from '../../support/records.ts';
import { countedWay } from '../../support/round-trips.ts';

describe('provider leases', () => {
  let records: Records;

  beforeEach(async () => {
    records = await borrowRecords();
  });

  afterEach(() => records.giveBack());

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

  it('keeps to the limit over all processes', async () => {
    const [one, two] = [gate(), gate()];
    let inFlight = 0;
    let most = 0;
    const areAllHeld = Promise.withResolvers<void>();
    const call = async (through: ProviderLeases) => {
      const leave = await through.enter('p', urgent, never);
      inFlight += 1;
      most = Math.max(most, inFlight);
      if (most === 4) areAllHeld.resolve();
      await areAllHeld.promise;
      await new Promise((resolve) => setTimeout(resolve, 20));
      inFlight -= 1;
      if (leave !== 'daily_limit') leave(1);
    };
    await Promise.all(Array.from({ length: 30 }, (_, index) => call(index % 2 ? one : two)));
    expect(most).to.equal(4);
  });

  it('keeps a quarter for those somebody waits for', async () => {
    const shared = gate();
    for (let call = 0; call < 3; call++) await shared.enter('p', patient, never);
    const gaveUp = new AbortController();
    const waiting = shared.enter('p', patient, gaveUp.signal).catch((reason) => reason);
    expect(await shared.enter('p', urgent, never)).to.be.a('function');
    gaveUp.abort('enough');
    expect(await waiting).to.equal('enough');
    expect(await held()).to.equal(4);
  });

  it('takes back the leases of the dead when they expire', async () => {
    const shared = gate({ concurrency: 1 });
    await shared.enter('p', urgent, never);
    await sql`update provider_leases set expires_at = now() - interval '1 second'`.execute(records.db);
    expect(await gate({ concurrency: 1 }).enter('p', urgent, never)).to.be.a('function');
  });

  it('makes the leases again that a crash of the database has emptied', async () => {
    const shared = gate({ concurrency: 1 });
    await shared.enter('p', urgent, never);
    await sql`truncate provider_leases`.execute(records.db);
    const other = { ...urgent, accountId: 2 };
    expect(await shared.enter('p', other, AbortSignal.timeout(60_000))).to.be.a('function');
    expect(await held()).to.equal(1);
  });

  it('counts the pages that calls cost, and the checks they answered', async () => {
    const counting = gate();
    for (const pages of [1, 10, 0]) {
      const leave = await counting.enter('p', urgent, never);
      if (leave !== 'daily_limit') leave(pages);
    }
    counting.answered('p');
    counting.answered('p');
    const totals = async () => (await providerTotals(records.db))[0];
    await eventually(async () => ((await totals())?.answers === 2 ? true : null));
    expect(await totals()).to.deep.equal({ provider: 'p', pages: 11, answers: 2 });
  });

  it('tells later what it could not tell, and at its end what it has not told', async () => {
    const counting = gate();
    await counting.count('p', 1, never);
    await sql`alter table provider_usage rename to away`.execute(records.db);
    await counting.close();
    await sql`alter table away rename to provider_usage`.execute(records.db);
    await counting.count('p', null, never);
    counting.answered('q');
    await counting.close();
    const told = await usage(records.db, new Date(Date.now() - 1000));
    expect(told.map(({ provider, calls, answers }) => [provider, calls, answers])).to.deep.equal([
      ['p', 2, 0],
      ['q', 0, 1],
    ]);
  });

  it('asks the database for a place once for many calls of a process that stand in line', async () => {
    const way = countedWay();
    const counted = await borrowRecords(10, way.to);
    try {
      const through = new ProviderLeases(counted.db, { concurrency: 4, dailyLimit: 0, timeoutMs: 20_000 });
      const call = async (accountId: number) => {
        const leave = await through.enter('p', { accountId, isUrgent: true }, never);
        await through.count('p', accountId, never);
        await new Promise(setImmediate);
        if (leave !== 'daily_limit') leave(1);
      };
      await Promise.all([call(1), call(2)]);
      const before = way.statements();
      await Promise.all(Array.from({ length: 400 }, (_, index) => call(index % 7)));
      await through.close();
      expect(way.statements() - before).to.be.below(40);
      const [today] = await usage(counted.db, new Date(Date.now() - 1000));
      expect(today).to.include({ calls: 402, pages: 402 });
    } finally {
      await counted.giveBack();
      await way.close();
    }
  });

  it('counts calls, and stops at the daily limit', async () => {
    const limited = gate({ dailyLimit: 2 });
    for (let call = 0; call < 2; call++) {
      const leave = await limited.enter('p', urgent, never);
      expect(await limited.count('p', 1, never)).to.equal(true);
      if (leave !== 'daily_limit') leave(1);
    }
    expect(await limited.enter('p', urgent, never)).to.equal('daily_limit');
    expect(await limited.count('p', 1, never)).to.equal(false);
    await limited.close();
    const [today] = await usage(records.db, new Date(Date.now() - 1000));
    expect(today).to.include({ provider: 'p', calls: 2, pages: 2, answers: 0 });
  });

  it('gives a place to others while it goes on counting as one of its account’s own', async () => {
    const shared = gate({ concurrency: 2 });
    const leave = await shared.enter('p', urgent, never);
    const isOver = Promise.withResolvers<void>();
    if (leave !== 'daily_limit') leave(0, isOver.promise);
    while ((await held()) > 0) await new Promise(setImmediate);
    const order: number[] = [];
    const again = shared.enter('p', urgent, never).then(() => order.push(1));
    for (const accountId of [2, 3]) {
      const other = await shared.enter('p', { accountId, isUrgent: true }, never);
      if (order.push(accountId) === 1 && other !== 'daily_limit') other(0);
    }
    isOver.resolve();
    await again;
    expect(order).to.deep.equal([2, 3, 1]);
  });

  it('leaves a part of the day to others, whatever one account asks for', async () => {
    const ids = [1, 2].map((accountId) => ({ accountId, webhookSecret: Buffer.from('secret') }));
    await records.db.insertInto('accounts').values(ids).execute();
    const limited = gate({ dailyLimit: 20, dayPassed: () => 0 });
    const callsOf = async (accountId: number) => {
      for (let calls = 0; ; calls++) {
        const leave = await limited.enter('p', { accountId, isUrgent: true }, never);
        if (leave === 'daily_limit') return calls;
        await limited.count('p', accountId, never);
        // Failed calls cost no page, and count.
        leave(0);
      }
    };
    expect([await callsOf(1), await callsOf(2)]).to.deep.equal([9, 5]);
  });
});
