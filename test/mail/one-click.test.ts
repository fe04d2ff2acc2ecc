import { expect } from 'chai';
import { sql } from 'kysely';
import * as users from '../../db/accounts/users.ts';
import * as alerts from '../../db/ledger/credit-alerts.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { oweDigest } from '../../mail/owe.ts';
import { eventually } from '../support/eventually.ts';
import { TestService } from '../support/service.ts';
import { makeDue } from '../support/smtp.ts';

describe('a mail of a list', () => {
  it('says where one click ends it, and after that there is no more, not even what was owed', async () => {
    const service = await TestService.start({}, { worker: true, mails: true });
    const boss = await service.boss();
    try {
      const { accountId } = await service.account(0);
      await inTransaction(service.db, (trx) => alerts.change(trx, accountId, { threshold: 5 }));
      const email = 'tired@example.com';
      const userId = await users.create(service.db, { accountId, email, passwordHash: null });
      const owe = () =>
        inTransaction(service.db, (trx) =>
          oweDigest(
            trx,
            { boss, mail: 'smtp' },
            { template: 'credits_low', accountId, userId, about: 'low' },
          ),
        );
      const ended = (mailId: string | null) =>
        eventually(async () => {
          const { rows } = await sql<{ state: string }>`
            select state from mails where mail_id = ${mailId} and state <> 'owed'`.execute(service.db);
          return rows[0]?.state ?? null;
        });
      const first = await owe();
      const { headers } = await service.mails.mailTo(email);
      expect(await ended(first)).to.equal('sent');
      const next = await owe();
      expect(next).to.be.a('string');

      expect(headers.get('list-unsubscribe-post')).to.equal('List-Unsubscribe=One-Click');
      const [, address = ''] = /^<(\S+)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? [];
      const { origin, pathname, search } = new URL(address);
      expect(origin).to.equal(service.config.web.baseUrl);
      const shown = await (await fetch(service.baseUrl + pathname + search)).text();
      expect(shown).to.contain('mails that say').and.to.contain(`<strong>${email}</strong>`);
      // As mail programs do it: a form, without a cookie.
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      const clicked = { method: 'POST', body, redirect: 'manual' } as const;
      expect((await fetch(service.baseUrl + pathname + search, clicked)).status).to.equal(200);

      await makeDue(service.db);
      expect(await ended(next)).to.equal('dropped');
      expect(await owe()).to.equal(null);
      expect(service.mails.received).to.have.lengthOf(1);
    } finally {
      await service.stop();
    }
  });
});
