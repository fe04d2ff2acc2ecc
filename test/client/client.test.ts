import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { Sonde, SondeError, verifyWebhook, WebhookVerificationError } from '../../client/index.js';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import { useService } from '../support/service.ts';
import { serve, useSite } from '../support/web.ts';

describe('the client', () => {
  const service = useService({}, { worker: true });
  const site = useSite();

  const createClient = (token: string, options = {}) =>
    new Sonde({ token, baseUrl: service.baseUrl, ...options });

  it('sends single checks', async () => {
    const { token } = await service.account(10);
    const sonde = createClient(token);
    expect(await sonde.checkIndex('https://indexed.example/')).to.include({ is_indexed: true });
    expect(await sonde.checkHttpStatus(`${site.url}/moved`, { followRedirects: false })).to.include({
      status: 301,
    });
    expect(await sonde.rank({ url: 'rank-7.example', keyword: 'shoes' })).to.include({ rank: 7 });
    expect(await sonde.credits()).to.equal(7);
  });

  it('sets the alert for low credits', async () => {
    const { token } = await service.account(10);
    const sonde = createClient(token);
    await sonde.changeCreditAlert({ threshold: 20, webhookUrl: `${site.url}/hook` });
    const cleared = await sonde.changeCreditAlert({ webhookUrl: null });
    expect(cleared).to.include({ threshold: 20, webhook_url: null });
    const { success, ...alert } = await sonde.creditAlert();
    expect(alert).to.include({ threshold: 20 });
    expect([success, typeof alert.low_since]).to.deep.equal([true, 'string']);
  });

  it('submits a batch, waits for its end, and reads the results one by one', async () => {
    const { token } = await service.account(10);
    const sonde = createClient(token);
    const urls = [`${site.url}/good`, `${site.url}/missing`, 'shoes'];
    const { batch_id: id } = await sonde.submit('http', urls, { onInvalid: 'skip', reference: 'r' });
    const progress: number[] = [];
    const batch = await sonde.ended(id, {
      intervalMs: 20,
      onProgress: ({ processed }) => progress.push(processed),
    });
    expect(batch).to.include({ status: 'partial', reference: 'r' }).and.not.have.property('results');
    expect(progress.at(-1)).to.equal(3);
    const states: unknown[] = [];
    for await (const result of sonde.results(id)) {
      states.push(result.state === 'failed' ? result.error : 'status' in result && result.status);
    }
    expect(states).to.deep.equal([200, 404, 'invalid_url']);
  });

  it('repeats, compares and renames batches', async () => {
    const { token } = await service.account(10);
    const sonde = new Sonde({ token, baseUrl: service.baseUrl });
    const urls = ['https://indexed.example/1', 'https://not-indexed.example/2'];
    const first = await sonde.ended((await sonde.submit('index', urls)).batch_id);
    const again = await sonde.again(first.batch_id, { show: 'not_indexed' });
    await sonde.ended(again.batch_id);
    const { counts, compared_with: other } = await sonde.compare(again.batch_id, { change: 'gone' });
    expect([counts.gone, counts.same, other]).to.deep.equal([1, 1, first.batch_id]);
    expect((await sonde.rename(again.batch_id, 'Again')).name).to.equal('Again');
    const blank = await sonde.again(first.batch_id, { search: '' }).catch((error) => error);
    expect([blank instanceof SondeError, blank.status]).to.deep.equal([true, 422]);
  });

  it('iterates over lists of any length', async () => {
    const { token } = await service.account(150);
    const sonde = createClient(token);
    const urls = Array.from({ length: 120 }, (_, index) => `https://indexed.example/${index}`);
    await sonde.ended((await sonde.submit('index', urls)).batch_id, { intervalMs: 50 });
    let entries = 0;
    for await (const entry of sonde.history()) entries += entry.state === 'success' ? 1 : 0;
    expect(entries).to.equal(120);
  });

  it('throws the errors of the service', async () => {
    const { token } = await service.account(0);
    const refused = await caught(createClient(token).checkIndex('https://indexed.example/'));
    expect(refused).to.be.instanceOf(SondeError);
    expect(refused).to.include({ status: 402, code: 'insufficient_credits' });
    expect(refused)
      .to.have.property('requestId')
      .that.matches(/^[0-9a-f-]{36}$/);
    expect(await caught(createClient('wrong').credits())).to.include({ status: 401, code: 'unauthorized' });
  });

  it('says how to set the URL if the default one cannot be reached', async () => {
    const fail = async (baseUrl?: string) => {
      const fetch = () => Promise.reject(new TypeError('fetch failed'));
      const sonde = new Sonde({ token: 'x', retries: 0, fetch, ...(baseUrl ? { baseUrl } : {}) });
      return sonde.credits().catch((error) => error.message);
    };
    expect(await fail()).to.equal(
      'The service at http://localhost:3000 cannot be reached. ' +
        'Set its URL with --url or SONDE_URL, or in a program with baseUrl.',
    );
    expect(await fail('https://a.example')).to.equal('The service at https://a.example cannot be reached');
  });

  it('retries after a lost answer, and is charged once', async () => {
    const { token, accountId } = await service.account(10);
    let calls = 0;
    const losing = async (url: string | URL | Request, init?: RequestInit) => {
      const answer = await fetch(url, init);
      calls += 1;
      if (calls === 1) throw new TypeError('the connection was lost after the answer was made');
      return answer;
    };
    const { credits_remaining } = await createClient(token, { fetch: losing }).checkIndex(
      'https://indexed.example/',
    );
    expect([calls, credits_remaining, await service.credits(accountId)]).to.deep.equal([2, 9, 9]);
  });

  it('waits as long as the service asks, but not for minutes, and stops when aborted', async () => {
    const seen: number[] = [];
    const busy = await serve((req, res) => {
      seen.push(performance.now());
      const [status, seconds] = req.url?.includes('batch/long') ? [503, 300] : [429, 1];
      if (seen.length === 2) res.end('{"credits":5}');
      else
        res.writeHead(status, { 'Retry-After': seconds }).end('{"error":"rate_limited","message":"Slowly."}');
    });
    const sonde = new Sonde({ token: 'x', baseUrl: busy.url });
    expect(await sonde.credits()).to.equal(5);
    expect(seen[1]! - seen[0]!).to.be.above(990);
    expect(await caught(sonde.batch('long'))).to.include({ status: 503, message: 'Slowly.' });
    const stopped = await caught(sonde.credits({ signal: AbortSignal.timeout(50) }));
    expect(stopped).to.include({ name: 'TimeoutError' });
    await busy.close();
  });

  it('accepts only webhooks with a valid signature', async () => {
    const { webhookSecret: secret } = await service.account(0);
    const [body, now] = ['{"event":"batch.completed","reference":"é"}', new Date()];
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', now, body)}`,
    };
    expect(await verifyWebhook({ secret, headers, body })).to.include({ reference: 'é' });
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook({ secret, headers: new Headers(headers), body: bytes })).to.include({
      reference: 'é',
    });
    const signed = Object.entries(headers);
    const upper = Object.fromEntries(signed.map(([name, value]) => [name.toUpperCase(), value]));
    const signatures = headers['webhook-signature'].split(' ');
    const heads = [
      upper,
      new Map(Object.entries(upper)),
      Object.entries(upper),
      Object.entries(upper).flat(),
      { ...headers, 'webhook-signature': signatures },
      [...signed.slice(0, 2), ...signatures.map((one): [string, string] => ['Webhook-Signature', one])],
      new Headers([...signed.slice(0, 2), ...signatures.map((one) => ['Webhook-Signature', one])] as never),
    ] as never[];
    for (const each of heads)
      expect(await verifyWebhook({ secret, headers: each, body })).to.include({ reference: 'é' });
    const padded = Buffer.concat([Buffer.from('xx'), bytes, Buffer.from('xx')]);
    const bodies = [
      ...[Buffer.from(bytes), padded.subarray(2, -2), new DataView(bytes.slice().buffer)],
      ...[bytes.slice().buffer, new Uint8ClampedArray(bytes)],
    ];
    for (const each of bodies)
      expect(await verifyWebhook({ secret, headers, body: each })).to.include({ reference: 'é' });
    const parsed = verifyWebhook({ secret, headers, body: JSON.parse(body) });
    expect(await caught(parsed)).to.be.instanceOf(TypeError);
    const bad = [
      { secret, headers, body: `${body} ` },
      { secret, headers: [], body },
      { secret, headers: { ...upper, 'WEBHOOK-ID': ['msg_1', 'msg_2'] }, body },
      { secret, headers: {}, body },
      { secret, headers, body, now: new Date(now.getTime() + 301_000) },
    ];
    for (const webhook of bad)
      expect(await caught(verifyWebhook(webhook))).to.be.instanceOf(WebhookVerificationError);
  });

  it('reports the current user, creates tokens of both kinds and revokes them, and invites people', async () => {
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
  });

  it('finds locations', async () => {
    const { token } = await service.account(0);
    const found = await createClient(token).locations('londo', { country: 'CA' });
    expect(found.map(({ location }) => location)).to.deep.equal(['London, Ontario, Canada']);
  });

  it('returns the answer to a single keyword query at once, and throws if a batch id is missing', async () => {
    const { token } = await service.account(10);
    const sonde = createClient(token);
    const answer = await sonde.submit('keyword', [{ url: 'rank-7.example', keyword: 'shoes' }] as [never]);
    expect(answer).to.include({ rank: 7 }).and.not.have.property('batch_id');
    const without = (answer as { batch_id?: string }).batch_id as string;
    expect(await caught(sonde.ended(without)))
      .to.be.instanceOf(TypeError)
      .with.property('message')
      .that.matches(/^The batch_id is missing/);
  });
});

async function caught(act: Promise<unknown>): Promise<Error> {
  return act.then(
    () => expect.fail('nothing was thrown'),
    (error: Error) => error,
  );
}
