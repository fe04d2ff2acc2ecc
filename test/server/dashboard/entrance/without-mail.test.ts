import { expect } from 'chai';
import { sql } from 'kysely';
import { FormClient } from '../../../support/dashboard.ts';
import { TestService } from '../../../support/service.ts';

describe('the doors of a service without mail', () => {
  it('say that there is none, and everything else is as it was', async () => {
    const service = await TestService.start({ SIGNUP: 'open' });
    try {
      const browser = new FormClient(service.baseUrl);
      expect((await browser.get('/sign-in')).text)
        .to.contain('This service sends no mail')
        .and.not.contain('/forgot');
      expect((await browser.get('/forgot')).text)
        .to.contain('This service sends no mail')
        .and.not.contain('type="email"');
      const signedUp = await browser.post('/sign-up', {
        email: 'ada@example.com',
        password: 'correct horse',
      });
      expect([signedUp.status, signedUp.location]).to.deep.equal([303, '/']);
      const { rows } = await sql`select from mails`.execute(service.db);
      expect(rows).to.deep.equal([]);
    } finally {
      await service.stop();
    }
  });
});
