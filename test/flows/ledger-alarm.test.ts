import { expect } from 'chai';
import { sql } from 'kysely';
import { runChores } from '../support/chores.ts';
import { captureLog } from '../support/log.ts';
import { useService } from '../support/service.ts';

describe('wrong books', () => {
  const { log, lines } = captureLog();
  const service = useService({ METRICS_TOKEN: 'a metrics token' });
  /** Runs all chores, including the verification, as if their next round were due. */
  async function nextRound(): Promise<void> {
    await sql`update chores set done_at = '-infinity'`.execute(service.db);
    await runChores(service.db, await service.boss(), { log });
  }

  async function gauge(name: string): Promise<number> {
    const { text } = await service.call('//metrics', { token: 'a metrics token' });
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  }

  it('are unknown before the first verification', async () => {
    expect(await gauge('sonde_ledger_ok')).to.be.NaN;
    expect(await gauge('sonde_ledger_verified_timestamp_seconds')).to.equal(0);
    expect(await gauge('sonde_ledger_pass_timestamp_seconds')).to.equal(0);
  });

  it('set the gauge of every web process to 0 until they are corrected, and name the account', async () => {
    const { accountId } = await service.account(100);
    const beganSeconds = Date.now() / 1000;
    await nextRound();
    expect(await gauge('sonde_ledger_ok')).to.equal(1);
    const verifiedSeconds = await gauge('sonde_ledger_verified_timestamp_seconds');
    expect(verifiedSeconds).to.be.within(beganSeconds - 5, Date.now() / 1000 + 5);
    expect(await gauge('sonde_ledger_pass_timestamp_seconds')).to.be.at.least(verifiedSeconds);
    expect(lines).to.deep.equal([]);

    await sql`update accounts set credits = 99 where account_id = ${accountId}`.execute(service.db);
    await nextRound();
    expect(await gauge('sonde_ledger_ok')).to.equal(0);
    const [event] = lines.map((line) => JSON.parse(line));
    expect(event).to.include({ level: 'error', message: 'Ledger verification found faults' });
    expect(event.faults[0]).to.deep.equal({
      accountId,
      what: 'balance',
      subject: '',
      expected: 100,
      found: 99,
      note: null,
    });
    await sql`update accounts set credits = 100`.execute(service.db);
    await nextRound();
    expect(await gauge('sonde_ledger_ok')).to.equal(1);
  });

  it('are not looked for while the chores fail: the last result stays', async () => {
    await sql`alter table chunks rename to chunks_away`.execute(service.db);
    lines.length = 0;
    await nextRound().finally(() => sql`alter table chunks_away rename to chunks`.execute(service.db));
    const said = lines.map((line) => JSON.parse(line).message);
    expect(said).to.deep.equal(Array(4).fill('A chore failed and will be retried'));
    expect(await gauge('sonde_ledger_ok')).to.equal(1);
  });

  it('are detected by an answer that was never counted, once the batch has ended', async () => {
    const { token } = await service.account(100);
    const body = { urls: ['https://example.com/'] };
    const { body: accepted } = await service.call('/http-status/bulk', { token, body });
    await nextRound();
    await sql`
      insert into items (account_id, request_id, batch_id, position, type, state, input, outcome)
      select account_id, number, batch_id, number, 'http', 'success', '{}', '{}'
      from batches, generate_series(0, 1) as number where batch_id = ${accepted.batch_id}`.execute(
      service.db,
    );
    await sql`
      update batches set successful = 1, status = 'completed', completed_at = now()
      where batch_id = ${accepted.batch_id}`.execute(service.db);
    lines.length = 0;
    await nextRound();
    expect(await gauge('sonde_ledger_ok')).to.equal(0);
    expect(lines.join('')).to.include('batch_items');
  });
});
