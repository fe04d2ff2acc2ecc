import { expect } from 'chai';
import { sql } from 'kysely';
import { confirm } from '../../db/accounts/user-addresses.ts';
import * as users from '../../db/accounts/users.ts';
import { isOptedOut } from '../../db/notifications/mail-addresses.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { oweDigest } from '../../mail/owe.ts';
import { createLinkTokens } from '../../mail/tokens.ts';
import { createTestBoss } from '../support/boss.ts';
import { FormClient } from '../support/dashboard.ts';
import { secretKey, TestService } from '../support/service.ts';

describe('digests', () => {
  let service: TestService;
  let boss: ReturnType<typeof createTestBoss>;

  before(async () => {
    service = await TestService.start({ SMTP_URL: 'smtp://127.0.0.1:9' });
    const { directUrl: url } = service.config.database;
    boss = createTestBoss({ url, backend: 'postgres', max: 1, role: 'web' });
    await boss.start();
  });

  after(async () => {
    await boss.stop({ graceful: false });
    await service.stop();
  });

  async function person(email: string) {
    const { accountId } = await service.account(0);
    const userId = await users.create(service.db, { accountId, email, passwordHash: null });
    await inTransaction(service.db, (trx) => confirm(trx, userId));
    return { accountId, userId };
  }

  const owe = (about: { accountId: number; userId: number }) =>
    inTransaction(service.db, (trx) =>
      oweDigest(trx, { boss, mail: 'smtp' }, { template: 'monitor_runs', about: 'a', ...about }),
    );

  /** In how many minutes the next is due; 0 at once. */
  async function dueIn(mailId: string | null): Promise<number> {
    const { rows } = await sql<{ minutes: number }>`
      select round(extract(epoch from next_attempt_at - now()) / 60)::int as minutes
      from mails where mail_id = ${mailId}`.execute(service.db);
    return rows[0]?.minutes ?? Number.NaN;
  }

  const send = (ageMinutes: number) =>
    sql`
    update mails set state = 'sent', job_id = null, next_attempt_at = null,
      ended_at = now() - ${ageMinutes} * interval '1 minute' where state = 'owed'`.execute(service.db);

  it('are one an hour to each, and what happens meanwhile waits for the one that is owed', async () => {
    const ada = await person('ada@example.com');
    const first = await owe(ada);
    expect(await dueIn(first)).to.equal(0);
    expect(await owe(ada)).to.equal(null);
    await send(20);
    const second = await owe(ada);
    expect(await dueIn(second)).to.equal(40);
    expect(await owe(ada)).to.equal(null);
    expect(await dueIn(await owe(await person('bob@example.com')))).to.equal(0);
  });

  it('are 24 a day of an account, whoever they go to', async () => {
    const about = await person('busy@example.com');
    for (let hour = 24; hour > 0; hour--) {
      expect(await owe(about)).to.be.a('string');
      await send(hour * 60 - 10);
    }
    // The first of them was 23 hours and 50 minutes ago.
    expect(await dueIn(await owe(about))).to.be.within(10, 11);
  });

  it('end by one POST without a cookie, as mail programs send it; a link that is followed shows a button', async () => {
    const about = await person('tired@example.com');
    const optOut = { ...about, list: 'changes' };
    const path = `/unsubscribe?token=${createLinkTokens(secretKey, null).optOutToken(optOut)}`;
    const isOut = () => inTransaction(service.db, (trx) => isOptedOut(trx, optOut));
    const body = () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const shown = await new FormClient(service.baseUrl).get(path);
    expect([shown.status, shown.text.includes('<button')]).to.deep.equal([200, true]);
    for (const forged of [`${path.slice(0, -3)}AAA`, path.replace('changes', 'credits'), '/unsubscribe']) {
      const answer = await fetch(service.baseUrl + forged, { method: 'POST', body: body() });
      expect([forged, answer.status]).to.deep.equal([forged, 404]);
    }
    expect(await isOut()).to.equal(false);
    for (let times = 0; times < 2; times++) {
      const answer = await fetch(service.baseUrl + path, {
        method: 'POST',
        body: body(),
        redirect: 'manual',
      });
      expect(answer.status).to.equal(200);
      expect(await isOut()).to.equal(true);
    }
    const others = { ...about, list: 'credits' };
    expect(await inTransaction(service.db, (trx) => isOptedOut(trx, others))).to.equal(false);
  });
});
