import { expect } from 'chai';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import * as users from '../../db/accounts/users.ts';
import * as mails from '../../db/notifications/mails.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { enqueueMail, type MailRequest } from '../../mail/enqueue.ts';
import { purge } from '../../upkeep/retention.ts';
import { sweepOrphans } from '../../upkeep/sweep.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';
import { makeDue, pathIn } from '../support/smtp.ts';

describe('mails', () => {
  /** The codes with which the server rejects the next recipients. */
  const refusals: number[] = [];
  const refuse = () => {
    const responseCode = refusals.shift();
    return responseCode ? Object.assign(new Error('not now, or never'), { responseCode }) : null;
  };
  const service = useService(
    { MAIL_FROM: 'Sonde <hello@sonde.example>' },
    { worker: true, mails: { onRcptTo: (_to, _session, done) => done(refuse()) } },
  );
  let boss: PgBoss;

  before(async () => {
    boss = await service.boss();
  });

  const enqueueNow = (mail: MailRequest) =>
    inTransaction(service.db, (trx) => enqueueMail(trx, { boss, mail: 'smtp' }, mail));

  async function person(email: string): Promise<number> {
    const { accountId } = await service.account(0);
    return users.create(service.db, { accountId, email, passwordHash: null });
  }

  const ended = (mailId: string | null) =>
    eventually(async () => {
      const mail = await mails.find(service.db, mailId ?? '');
      return mail?.state === 'pending' ? null : mail;
    });

  const tried = (mailId: string | null, attempts: number) =>
    eventually(async () => {
      const mail = await mails.find(service.db, mailId ?? '');
      return mail && mail.attempts >= attempts ? mail : null;
    });

  it('are sent with both texts, headers for automatic mails, and a link that is stored in no row', async () => {
    await person('ada@example.com');
    const mailId = await enqueueNow({ template: 'reset', address: 'ADA@example.com' });
    const mail = await service.mails.mailTo('ada@example.com');
    expect(mail.headers.get('subject')).to.equal('Choose a new password');
    expect(mail.headers.get('from')).to.equal('Sonde <hello@sonde.example>');
    expect(mail.headers.get('message-id')).to.equal(`<${mailId}@sonde.example>`);
    expect(mail.headers.get('auto-submitted')).to.equal('auto-generated');
    expect(mail.headers.get('x-auto-response-suppress')).to.equal('All');
    expect(mail.headers.has('list-unsubscribe')).to.equal(false);
    const path = pathIn(mail);
    expect(path).to.match(/^\/reset\?token=[\w-]{43}$/);
    expect(mail.html)
      .to.contain(path)
      .and.contain('prefers-color-scheme:dark')
      .and.not.match(/<img|src=|@import|url\(/);
    const row = await ended(mailId);
    expect(row).to.include({ state: 'sent', attempts: 1, address: null, error: null, jobId: null });
    const { rows } = await sql<{ dump: string }>`
      select coalesce(string_agg(mails::text, ' '), '') || (select coalesce(string_agg(mail_links::text, ' '), '') from mail_links)
        || (select string_agg(data::text || coalesce(output::text, ''), ' ') from pgboss.job) as dump from mails`.execute(
      service.db,
    );
    expect(rows[0]?.dump)
      .not.to.contain(path.slice(-43))
      .and.not.match(/ada@example/i);
  });

  it('are dropped if the address has no user any more', async () => {
    const row = await ended(await enqueueNow({ template: 'reset', address: 'nobody@example.com' }));
    expect(row).to.include({ state: 'dropped', attempts: 0, address: null });
  });

  it('are retried unchanged after a 4xx: after one, five and fifteen minutes, and up to eight hours', async () => {
    await person('late@example.com');
    refusals.push(...Array(8).fill(451));
    const mailId = await enqueueNow({ template: 'reset', address: 'late@example.com' });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      const row = await tried(mailId, attempt);
      expect(row.error)
        .to.match(/451 not now/)
        .and.not.contain('late@example.com');
      waits.push(Math.round(((row.nextAttemptAt?.getTime() ?? 0) - Date.now()) / 60_000));
      await makeDue(service.db);
    }
    expect(waits).to.deep.equal([1, 5, 15, 60, 120, 240, 480, 480]);
    const mail = await service.mails.mailTo('late@example.com');
    expect(await ended(mailId)).to.include({ state: 'sent', attempts: 9 });
    expect(mail.headers.get('message-id')).to.contain(mailId);
  });

  it('fail when all retries have failed', async () => {
    await person('never@example.com');
    refusals.push(421, 421);
    const mailId = await enqueueNow({ template: 'reset', address: 'never@example.com' });
    await tried(mailId, 1);
    await sql`update mails set attempts = 8 where mail_id = ${mailId}`.execute(service.db);
    await makeDue(service.db);
    expect(await ended(mailId)).to.include({ state: 'failed', attempts: 9 });
  });

  it('disable an address after a permanent rejection, except for mails that its owner requests', async () => {
    const userId = await person('gone@example.com');
    refusals.push(550);
    const refused = await ended(await enqueueNow({ template: 'password_changed', userId }));
    expect(refused).to.include({ state: 'failed', attempts: 1 });
    expect(refused?.error).to.match(/550/).and.not.contain('gone@example.com');
    expect(await ended(await enqueueNow({ template: 'password_changed', userId }))).to.include({
      state: 'dropped',
    });
    expect(await ended(await enqueueNow({ template: 'reset', address: 'gone@example.com' }))).to.include({
      state: 'sent',
    });
    expect(await ended(await enqueueNow({ template: 'password_changed', userId }))).to.include({
      state: 'sent',
    });
  });

  it('are three a day to an address that did not request them', async () => {
    const address = 'spammed@example.com';
    await person(address);
    const enqueued: Array<string | null> = [];
    for (let count = 0; count < 7; count++)
      enqueued.push(
        await enqueueNow({ template: 'reset', address: count % 2 ? address : 'Spammed@Example.com' }),
      );
    const [three, others] = [enqueued.slice(0, 3), enqueued.slice(3)];
    expect([three.includes(null), others]).to.deep.equal([false, [null, null, null, null]]);
    await sql`update mails set created_at = created_at - interval '1 day'`.execute(service.db);
    expect(await enqueueNow({ template: 'reset', address })).to.be.a('string');
  });

  it('go only to exactly one address', async () => {
    const bad = [
      'a@example.com\r\nBcc: b@example.com',
      'a@example.com,b@example.com',
      'A <a@example.com>',
      `${'a'.repeat(288)}@example.com`,
      '',
    ];
    for (const address of bad)
      expect([address, await enqueueNow({ template: 'reset', address })]).to.deep.equal([address, null]);
  });

  it('get a new job if it is lost, and are deleted after 30 days', async () => {
    await person('lost@example.com');
    const mailId = await inTransaction(service.db, async (trx) => {
      const id = await enqueueMail(
        trx,
        { boss, mail: 'smtp' },
        { template: 'reset', address: 'lost@example.com' },
      );
      await sql`delete from pgboss.job where name = 'mails' and data->>'mail_id' = ${id}`.execute(trx);
      return id;
    });
    expect((await sweepOrphans(service.db, boss, () => {})).mailsReenqueued).to.equal(1);
    expect(await ended(mailId)).to.include({ state: 'sent' });
    await sql`update mails set created_at = now() - interval '31 days' where mail_id = ${mailId}`.execute(
      service.db,
    );
    expect((await purge(service.db, { days: 90, historyDays: 100 })).mails).to.be.greaterThan(0);
    expect(await mails.find(service.db, mailId ?? '')).to.equal(null);
  });

  it('are not created if mail is disabled', async () => {
    const off = await inTransaction(service.db, (trx) =>
      enqueueMail(trx, { boss, mail: 'off' }, { template: 'reset', address: 'ada@example.com' }),
    );
    expect(off).to.equal(null);
  });
});
