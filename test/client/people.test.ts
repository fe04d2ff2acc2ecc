import { expect } from 'chai';
import { Sonde } from '../../client/index.js';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import { TestService } from '../support/service.ts';

describe('the client, about people and tokens', () => {
  it('tells who one is, makes tokens of both kinds and revokes them, and asks people in', async () => {
    const service = await TestService.start();
    try {
      const { accountId } = await service.account(1);
      const userId = await users.create(service.db, {
        accountId,
        email: 'ada@example.com',
        passwordHash: null,
      });
      const token = await tokens.issue(service.db, accountId, 'mine', { userId });
      const sonde = new Sonde({ token, baseUrl: service.baseUrl });
      expect((await sonde.me()).person).to.deep.equal({ email: 'ada@example.com', role: 'owner' });
      const made = await sonde.makeToken({ name: 'trial', scope: 'check', isTest: true });
      const trial = new Sonde({ token: made.token, baseUrl: service.baseUrl });
      expect(await trial.checkHttpStatus('https://status-404.example/')).to.include({
        status: 404,
        simulated: true,
        credits_remaining: 1,
      });
      expect((await sonde.tokens()).map(({ name }) => name)).to.have.members(['test', 'mine', 'trial']);
      expect((await sonde.revokeToken(made.token_id)).revoked_at).to.be.a('string');
      const bob = await users.create(service.db, {
        ...{ accountId, email: 'bob@example.com', passwordHash: null },
        role: 'member',
      });
      expect((await sonde.changeRole(bob, 'viewer')).role).to.equal('viewer');
      expect((await sonde.removeMember(bob)).email).to.equal('bob@example.com');
      expect((await sonde.invite('grace@example.com', 'viewer')).link).to.contain('/invitation?key=');
      const { data, invitations } = await sonde.members();
      expect([data.length, invitations[0]?.email]).to.deep.equal([1, 'grace@example.com']);
      const words: string[] = [];
      for await (const { what } of sonde.activity()) words.push(what);
      expect(words).to.include.members([
        'token_made',
        'token_revoked',
        'member_role_changed',
        'member_removed',
      ]);
    } finally {
      await service.stop();
    }
  });
});
