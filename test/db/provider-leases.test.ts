import { expect } from 'chai';
import { sql } from 'kysely';
import { type LeaseOptions, ProviderLeases } from '../../db/provider-leases.ts';
import { providerTotals, usage } from '../../db/provider-usage.ts';
import { borrowRecords, type Records } from '../support/records.ts';

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
    const call = async (through: ProviderLeases) => {
      const leave = await through.enter('p', urgent, never);
      inFlight += 1;
      most = Math.max(most, inFlight);
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
    while ((await totals())?.answers !== 2 || (await held()) > 0) await new Promise(setImmediate);
    expect(await totals()).to.deep.equal({ provider: 'p', pages: 11, answers: 2 });
  });

  it('counts calls, and stops at the daily limit', async () => {
    const limited = gate({ dailyLimit: 2 });
    for (let call = 0; call < 2; call++) {
      const leave = await limited.enter('p', urgent, never);
      if (leave !== 'daily_limit') leave(1);
    }
    expect(await limited.enter('p', urgent, never)).to.equal('daily_limit');
    const [today] = await usage(records.db, new Date(Date.now() - 1000));
    expect(today).to.include({ provider: 'p', calls: 2, pages: 2, answers: 0 });
  });

  it('leaves a part of the day to others, whatever one account asks for', async () => {
    const ids = [1, 2].map((accountId) => ({ accountId, webhookSecret: Buffer.from('secret') }));
    await records.db.insertInto('accounts').values(ids).execute();
    const limited = gate({ dailyLimit: 20, dayPassed: () => 0 });
    const callsOf = async (accountId: number) => {
      for (let calls = 0; ; calls++) {
        const leave = await limited.enter('p', { accountId, isUrgent: true }, never);
        if (leave === 'daily_limit') return calls;
        // Failed calls cost no page, and count.
        leave(0);
      }
    };
    expect([await callsOf(1), await callsOf(2)]).to.deep.equal([9, 5]);
  });
});
