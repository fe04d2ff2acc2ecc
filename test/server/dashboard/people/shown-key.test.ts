import { expect } from 'chai';
import { sql } from 'kysely';
import * as users from '../../../../db/accounts/users.ts';
import { openAs } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';

describe('the key of an authenticator app', () => {
  const service = useService();

  for (const width of [1280, 390]) {
    it(`can be read and copied in a window of ${width} pixels`, async function () {
      const account = await service.account(0);
      const { accountId } = account;
      // The user has no password, because hashing is slow.
      await users.create(service.db, { accountId, email: `${width}@example.com`, passwordHash: null });
      await sql`update users set email_confirmed_at = now()`.execute(service.db);
      const { page } = await openAs(this, service, account, { viewport: { width, height: 900 } });
      await page.goto('/settings/second-factor');
      await page.getByText('Add…').click();
      await page.getByRole('button', { name: 'Add app' }).click();
      const key = page.locator('.code pre');
      await key.waitFor({ state: 'attached' });
      const { width: shown, height } = (await key.boundingBox()) ?? { width: 0, height: 0 };
      expect(shown).to.be.above(150);
      // A key with one letter per line would be present, but unreadable.
      expect(height).to.be.within(12, 90);
      expect(await page.getByRole('button', { name: 'Copy key' }).isVisible()).to.equal(true);
    });
  }
});
