import { expect } from 'chai';
import { ConfigError, readConfig } from '../../../config/config.ts';
import { TestService, useService } from '../../support/service.ts';

const origin = 'https://app.example.com';
const other = 'https://evil.example';

describe('CORS', () => {
  const service = useService({ CORS_ORIGINS: `${origin}, http://localhost:5173` });

  const preflight = (of: TestService, from: string, path = '/api/v1/keyword-track') =>
    fetch(`${of.baseUrl}${path}`, {
      method: 'OPTIONS',
      redirect: 'manual',
      headers: {
        Origin: from,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
      },
    });
  const parseList = (headers: Headers, name: string) => (headers.get(name) ?? '').toLowerCase().split(/, ?/);

  it('allows preflights of the configured origins', async () => {
    for (const from of [origin, 'http://localhost:5173']) {
      const { status, headers } = await preflight(service, from);
      expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([204, from]);
      expect(parseList(headers, 'access-control-allow-methods')).to.include.members([
        'post',
        'patch',
        'delete',
      ]);
      const allowed = parseList(headers, 'access-control-allow-headers');
      expect(allowed).to.include.members(['authorization', 'content-type', 'idempotency-key']);
      expect(headers.get('access-control-allow-credentials')).to.equal(null);
      expect(parseList(headers, 'vary')).to.include('origin');
    }
  });

  it('exposes answers and errors, with the headers that a client needs', async () => {
    const { token } = await service.account(1);
    const answer = await service.call('/credits', { token, headers: { Origin: origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).to.deep.equal([200, origin]);
    expect(parseList(answer.headers, 'access-control-expose-headers')).to.include.members([
      ...['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'idempotent-replayed', 'etag'],
    ]);
    const refused = await service.call('/credits', { headers: { Origin: origin } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).to.deep.equal([401, origin]);
  });

  it('allows no other origin', async () => {
    for (const from of [other, `${origin}.evil.example`, 'null']) {
      const { headers } = await preflight(service, from);
      expect(headers.get('access-control-allow-origin'), from).to.equal(null);
    }
  });

  it('never covers the dashboard', async () => {
    for (const path of ['/sign-in', '/', '/settings']) {
      const { headers } = await preflight(service, origin, path);
      expect(headers.get('access-control-allow-origin'), path).to.equal(null);
      const read = await fetch(`${service.baseUrl}${path}`, {
        headers: { Origin: origin },
        redirect: 'manual',
      });
      expect(read.headers.get('access-control-allow-origin'), path).to.equal(null);
    }
  });

  it('allows every origin with *, without credentials, and no origin without the setting', async () => {
    const open = await TestService.start({ CORS_ORIGINS: '*' });
    const { headers } = await preflight(open, other);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(headers.get('access-control-allow-credentials')).to.equal(null);
    await open.stop();
    const closed = await TestService.start();
    const refused = await preflight(closed, origin);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).to.deep.equal([401, null]);
    await closed.stop();
  });

  it('needs valid origins', () => {
    for (const wrong of [
      'app.example.com',
      'https://app.example.com/',
      'https://app.example.com/path',
      'null',
    ])
      expect(() => readConfig({ DATABASE_URL: 'postgres://a@b/c', CORS_ORIGINS: wrong }), wrong).to.throw(
        ConfigError,
        /^CORS_ORIGINS has/,
      );
  });
});
