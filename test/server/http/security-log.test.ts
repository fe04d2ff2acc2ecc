import { expect } from 'chai';
import { FormClient } from '../../support/dashboard.ts';
import { captureLog } from '../../support/log.ts';
import { TestService } from '../../support/service.ts';

describe('the security log', () => {
  it('records changes of rights, and failed attempts', async () => {
    const { log, lines } = captureLog();
    const service = await TestService.start({ SIGNUP: 'open' }, { log });
    const browser = new FormClient(service.baseUrl);
    const login = { email: 'ada@example.com', password: 'correct horse' };
    await browser.post('/sign-up', login);
    await browser.post('/tokens', { name: 'ci' }, { from: '/tokens' });
    const page = await browser.get('/tokens');
    const revoke = /action="(\/tokens\/\d+\/revoke)"/.exec(page.text)?.[1] ?? '';
    await browser.post(revoke, {}, { from: '/tokens' });
    await browser.post('/webhooks/rotate', {}, { from: '/webhooks' });
    await browser.post('/settings/delete', { password: 'wrong' }, { from: '/settings' });
    await browser.post('/settings/sessions', {}, { from: '/settings' });
    await browser.post('/sign-in', { ...login, password: 'wrong' });
    await browser.post('/sign-in', login);
    await browser.post('/settings/delete', login, { from: '/settings' });
    await service.stop();

    const events = lines.map((line) => JSON.parse(line)).filter(({ security }) => security);
    expect(events.map(({ security }) => security)).to.deep.equal([
      'signed_up',
      'signed_in',
      'token_made',
      'token_revoked',
      'secret_rotated',
      'password_refused',
      'sessions_ended',
      'sign_in_failed',
      'signed_in',
      'account_deleted',
    ]);
    for (const event of events) expect(event.address).to.match(/127\.0\.0\.1$/);
    expect(events[3]).to.include.keys('accountId', 'tokenId', 'requestId');
    expect(JSON.stringify(events)).not.to.match(/ada@|horse|sonde_[0-9A-Za-z]{5}|whsec/);
  });
});
