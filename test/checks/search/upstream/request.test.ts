import { expect } from 'chai';
import { Headers } from 'node-fetch';
import { sendRequest, toStatusError } from '../../../../checks/search/upstream/request.ts';
import { expectFailure, useProviderServer } from '../../../support/provider.ts';

const apiKey = 'secret-key-0123456789';

describe('a request to a provider', () => {
  const server = useProviderServer();
  const question = (changes = {}) => {
    const url = new URL(`/search?api_key=${apiKey}`, server.baseUrl);
    return { provider: 'serpapi', url, timeoutMs: 60_000, ...changes };
  };

  it('ends at its timeout', async () => {
    server.willAnswer({ body: {}, delayMs: 1_000 });
    const error = await expectFailure('timeout', () => sendRequest(question({ timeoutMs: 50 })));
    expect(error.isRetryable).to.equal(true);
  });

  it('fails as its status says, with the pause of Retry-After', () => {
    const headers = new Headers({ 'retry-after': '7' });
    for (const [kind, statuses] of Object.entries({
      auth: [401, 403, 407],
      quota: [402],
      timeout: [408, 504],
      rate_limit: [429],
      bad_request: [400, 404, 410],
      upstream: [202, 500, 502],
    }))
      for (const status of statuses)
        expect(toStatusError({ status, headers }, 'one'), `${status}`).to.include({
          kind,
          retryAfterSeconds: 7,
        });
  });

  it('follows no redirect', async () => {
    server.willAnswer({ status: 302, headers: { location: 'http://elsewhere.example/' }, body: '' });
    await expectFailure('upstream', () => sendRequest(question()));
    expect(server.seen).to.have.length(1);
  });

  it('reads at most 8 MiB', async () => {
    server.willAnswer({ body: 'x'.repeat(9 * 1024 * 1024) });
    const error = await expectFailure('upstream', () => sendRequest(question()));
    expect(error.message).to.include('8 MiB');
  });

  it('omits the key from the error of a lost connection', async () => {
    const url = new URL(`http://127.0.0.1:1/search?api_key=${apiKey}`);
    const error = await expectFailure('upstream', () => sendRequest(question({ url })));
    expect(error.message).to.equal('serpapi: no connection (ECONNREFUSED)');
    expect(error.cause).to.be.an('error');
    expect(String(error.cause)).to.include('127.0.0.1').and.not.include(apiKey);
  });
});
