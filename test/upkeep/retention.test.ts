import { expect } from 'chai';
import { sql } from 'kysely';
import * as tokens from '../../db/tokens.ts';
import { purge } from '../../upkeep/retention.ts';
import { TestService } from '../support/service.ts';

describe('what has been kept long enough', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it('takes revoked tokens with it, and no other', async () => {
    const { accountId } = await service.account();
    for (const name of ['old', 'recent']) await tokens.issue(service.db, accountId, name);
    await sql`update api_tokens set created_at = now() - interval '1 year'`.execute(service.db);
    await sql`update api_tokens set revoked_at = now() - interval '91 days' where name = 'old'`.execute(
      service.db,
    );
    await sql`update api_tokens set revoked_at = now() - interval '89 days' where name = 'recent'`.execute(
      service.db,
    );
    const { revokedTokens } = await purge(service.db, { days: 90, historyDays: 1100 });
    expect(revokedTokens).to.equal(1);
    const left = await tokens.list(service.db, accountId);
    expect(left.map(({ name }) => name)).to.have.members(['test', 'recent']);
  });
});
