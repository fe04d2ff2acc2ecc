import { expect } from 'chai';
import { simulateHttpAnswer } from '../../../checks/simulated/http.ts';
import type { HttpStatusOptions } from '../../../schemas/http-status.ts';

describe('an HTTP answer of test mode', () => {
  const createAnswer = (address: string, options?: HttpStatusOptions) => {
    const outcome = simulateHttpAnswer(address, options);
    if (outcome.state === 'failed') throw new Error(outcome.error);
    expect(outcome.answer.simulated).to.equal(true);
    expect(simulateHttpAnswer(address, options), 'the second time').to.deep.equal(outcome);
    return { ...outcome.answer, tally: outcome.tally.join() };
  };

  it('depends on the host name, including subdomains', () => {
    const unread = { soft404_checked: false, error: null, title: null };
    expect(createAnswer('https://status-404.example/x')).to.include({
      status: 404,
      tally: 'status_4xx',
      ...unread,
    });
    expect(createAnswer(' http://www.status-503.example:8080/ ')).to.include({
      status: 503,
      tally: 'status_5xx',
    });
    expect(createAnswer('https://status-200.example/')).to.include({ status: 200, soft404_checked: true });
    expect(createAnswer('https://soft404.example/')).to.include({
      is_soft404: true,
      tally: 'status_2xx,soft404',
    });
    const silent = { status: 0, content_type: null, tally: 'unreachable' };
    expect(createAnswer('https://silent.example/')).to.include({ ...silent, error: 'connect_timeout' });
    expect(createAnswer('https://no-such-name.example/')).to.include({ ...silent, error: 'dns_not_found' });
    expect(createAnswer('https://blocked.example/')).to.include({ status: 403, bot_wall: 'cloudflare' });
    expect(createAnswer('https://noindex.example/')).to.include({ status: 200, noindex: 'meta' });
  });

  it('of any other host is an ordinary page', () => {
    const plain = { status: 200, is_soft404: false, error: null, tally: 'status_2xx' };
    for (const host of [
      'example.com',
      'status-404.example.com',
      'status-301.example',
      'redirect-0.example',
    ]) {
      expect(createAnswer(`https://${host}/`), host).to.include(plain);
    }
  });

  it('redirects as often as its name says, at most ten times, and only if redirects are followed', () => {
    const twice = createAnswer('https://redirect-2.example/a');
    expect(twice).to.include({ status: 200, initial_status: 301, redirect_count: 2 });
    expect(twice.redirects.map(({ url }) => url)).to.deep.equal([
      'https://redirect-2.example/a',
      'https://redirect-2.example/1',
    ]);
    expect(twice.final_url).to.equal('https://redirect-2.example/2');
    const first = createAnswer('https://redirect-2.example/a', { follow_redirects: false });
    expect(first).to.include({ status: 301, redirect_count: 0, final_url: 'https://redirect-2.example/a' });
    const often = createAnswer('https://redirect-11.example/');
    expect(often).to.include({ status: 301, redirect_count: 10, error: 'too_many_redirects' });
  });

  it('respects the stored length of an answer, with an address of any length', () => {
    const address = `https://redirect-10.example/${'x'.repeat(2000)}`;
    expect(Buffer.byteLength(JSON.stringify(createAnswer(address)))).to.be.below(4200);
  });

  it('is an error for `unreachable.example`, at once and always', () => {
    const failed = { state: 'failed', error: 'checker_unreachable', isRetryable: false };
    expect(simulateHttpAnswer('https://unreachable.example/')).to.deep.equal(failed);
  });
});
