import { expect } from 'chai';
import * as tokens from '../../../db/accounts/tokens.ts';
import { revokeToken } from '../../support/accounts.ts';
import { useService } from '../../support/service.ts';

describe('authentication', () => {
  const service = useService();

  it('happens before the body is read', async () => {
    const { status, headers, body } = await service.call('/http-status', { raw: '{"url": ' });
    expect(status).to.equal(401);
    expect(headers.get('www-authenticate')).to.equal('Bearer');
    expect(body).to.deep.equal({
      success: false,
      error: 'unauthorized',
      message:
        'Send your token in the header `Authorization: Bearer <token>`. Create tokens in the dashboard under Tokens.',
    });
  });

  it('gives the same message for every invalid token', async () => {
    const { accountId, token } = await service.account();
    await revokeToken(service.db, token);
    const another = await tokens.issue(service.db, accountId, 'another');
    for (const bad of [token, another.slice(0, -1), 'x', `sonde_${'a'.repeat(36)}`]) {
      const { status, body } = await service.call('/credits', { token: bad });
      expect(status).to.equal(401);
      expect(body.message).to.equal(
        'This token is invalid. It may have expired, been revoked, or been copied incompletely. Check it, or create another in the dashboard under Tokens.',
      );
    }
    expect((await service.call('/credits', { token: another })).status).to.equal(200);
  });

  it('accepts the scheme in any case, and no other scheme', async () => {
    const { token } = await service.account();
    const call = (value: string) => service.call('/credits', { headers: { Authorization: value } });
    expect((await call(`bearer ${token}`)).status).to.equal(200);
    expect((await call(`Token ${token}`)).status).to.equal(401);
    expect((await call(`Bearer ${token} ${token}`)).status).to.equal(401);
  });

  it('comes before an unknown path', async () => {
    expect((await service.call('/nothing')).status).to.equal(401);
  });
});
