import { expect } from 'chai';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import * as users from '../../db/accounts/users.ts';
import * as alerts from '../../db/ledger/credit-alerts.ts';
import { isOptedOut } from '../../db/notifications/mail-addresses.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { enqueueDigest } from '../../mail/enqueue.ts';
import { afterTest } from '../support/after-test.ts';
import { eventually } from '../support/eventually.ts';
import { TestService, useService } from '../support/service.ts';
import { makeDue } from '../support/smtp.ts';

describe('digests', () => {
  const service = useService({ SMTP_URL: 'smtp://127.0.0.1:9' });
  let boss: PgBoss;

  before(async () => {
    boss = await service.boss();
  });

  async function person(email: string) {
    const { accountId } = await service.account(0);
    return { accountId, userId: await service.confirmedUser(accountId, email) };
  }

  const enqueueFor = (about: { accountId: number; userId: number }) =>
    inTransaction(service.db, (trx) =>
      enqueueDigest(trx, { boss, mail: 'smtp' }, { template: 'monitor_runs', about: 'a', ...about }),
    );

  /** Returns the minutes until a mail is due; 0 if it is due now. */
  async function dueIn(mailId: string | null): Promise<number> {
    const { rows } = await sql<{ minutes: number }>`
      select round(extract(epoch from next_attempt_at - now()) / 60)::int as minutes
      from mails where mail_id = ${mailId}`.execute(service.db);
    return rows[0]?.minutes ?? Number.NaN;
  }

  const send = (ageMinutes: number) =>
    sql`
    update mails set state = 'sent', job_id = null, next_attempt_at = null,
      ended_at = now() - ${ageMinutes} * interval '1 minute' where state = 'pending'`.execute(service.db);

  it('are one an hour per recipient, and later events wait for the pending one', async () => {
    const ada = await person('ada@example.com');
    const first = await enqueueFor(ada);
    expect(await dueIn(first)).to.equal(0);
    expect(await enqueueFor(ada)).to.equal(null);
    await send(20);
    const second = await enqueueFor(ada);
    expect(await dueIn(second)).to.equal(40);
    expect(await enqueueFor(ada)).to.equal(null);
    expect(await dueIn(await enqueueFor(await person('bob@example.com')))).to.equal(0);
  });

  it('are 24 a day per account, over all recipients', async () => {
    const about = await person('busy@example.com');
    for (let hour = 24; hour > 0; hour--) {
      expect(await enqueueFor(about)).to.be.a('string');
      await send(hour * 60 - 10);
    }
    // The first digest was sent 23 hours and 50 minutes ago.
    expect(await dueIn(await enqueueFor(about))).to.be.within(10, 11);
  });
});

describe('a mail of a list', () => {
  it('has a one-click unsubscribe, after which no more are sent, even pending ones', async () => {
    const service = await TestService.start({}, { worker: true, mails: true });
    afterTest(() => service.stop());
    const boss = await service.boss();
    const { accountId } = await service.account(0);
    await inTransaction(service.db, (trx) => alerts.change(trx, accountId, { threshold: 5 }));
    const email = 'tired@example.com';
    const userId = await users.create(service.db, { accountId, email, passwordHash: null });
    const enqueueFor = () =>
      inTransaction(service.db, (trx) =>
        enqueueDigest(
          trx,
          { boss, mail: 'smtp' },
          { template: 'credits_low', accountId, userId, about: 'low' },
        ),
      );
    const ended = (mailId: string | null) =>
      eventually(async () => {
        const { rows } = await sql<{ state: string }>`
          select state from mails where mail_id = ${mailId} and state <> 'pending'`.execute(service.db);
        return rows[0]?.state ?? null;
      });
    const first = await enqueueFor();
    const { headers } = await service.mails.mailTo(email);
    expect(await ended(first)).to.equal('sent');
    const next = await enqueueFor();
    expect(next).to.be.a('string');

    expect(headers.get('list-unsubscribe-post')).to.equal('List-Unsubscribe=One-Click');
    const [, address = ''] = /^<(\S+)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? [];
    const { origin, pathname, search } = new URL(address);
    expect(origin).to.equal(service.config.web.baseUrl);
    const shown = await (await fetch(service.baseUrl + pathname + search)).text();
    expect(shown)
      .to.contain('<button')
      .and.to.contain(`<strong>${email}</strong>`)
      .and.contain('security notices');
    // Mail programs send this form without a cookie.
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const clicked = { method: 'POST', body, redirect: 'manual' } as const;
    for (const forged of [`${search.slice(0, -3)}AAA`, search.replace('credits', 'changes'), ''])
      expect((await fetch(service.baseUrl + pathname + forged, clicked)).status, forged).to.equal(404);
    for (const _ of [1, 2])
      expect((await fetch(service.baseUrl + pathname + search, clicked)).status).to.equal(200);

    const other = { accountId, userId, list: 'changes' };
    expect(await inTransaction(service.db, (trx) => isOptedOut(trx, other)), 'another list').to.equal(false);

    await makeDue(service.db);
    expect(await ended(next)).to.equal('dropped');
    expect(await enqueueFor()).to.equal(null);
    expect(service.mails.received).to.have.lengthOf(1);
  });
});
