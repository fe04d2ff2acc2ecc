import { expect } from 'chai';
import { sql } from 'kysely';
import type { TestAccount } from '../support/accounts.ts';
import { type Answer, type CallOptions, useService } from '../support/service.ts';
import { useSite } from '../support/web.ts';

/** A request, and the credits and batches that it costs and creates. */
type Post = [
  name: string,
  status: number,
  cost: number,
  batches: number,
  path: (account: TestAccount) => Promise<string> | string,
  body?: () => object,
];

describe('ten concurrent requests with one Idempotency-Key', () => {
  const service = useService();
  const site = useSite((_req, res) => {
    setTimeout(() => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('here'), 100);
  });

  const send = ({ token }: TestAccount, path: string, key: string, options: CallOptions = {}) =>
    service.call(path, { token, method: 'POST', headers: { 'Idempotency-Key': key }, ...options });
  const twoUrls = { urls: ['https://example.com/1', 'https://example.com/2'] };
  const pendingBatch = async ({ token }: TestAccount) => {
    return (await service.call('/http-status/bulk', { token, body: twoUrls })).body.batch_id;
  };
  const canceledBatch = async (account: TestAccount) => {
    const id = await pendingBatch(account);
    await service.call(`/batch/${id}/cancel`, { token: account.token, method: 'POST' });
    return id;
  };
  const reportedBatch = async ({ token }: TestAccount) => {
    const body = { urls: ['nothing that fits'], on_invalid: 'skip', webhook_url: site.url };
    return (await service.call('/check/bulk', { token, body })).body.batch_id;
  };

  const posts: Post[] = [
    ['a single HTTP check', 200, 1, 0, () => '/http-status', () => ({ url: site.url })],
    ['a bulk HTTP check', 202, 2, 1, () => '/http-status/bulk', () => twoUrls],
    ['a cancel', 200, -2, 0, async (account) => `/batch/${await pendingBatch(account)}/cancel`],
    ['a retry', 202, 2, 1, async (account) => `/batch/${await canceledBatch(account)}/retry`],
    ['a rotation of the webhook secret', 200, 0, 0, () => '/webhooks/secret/rotate'],
    [
      ...(['a test of a webhook', 200, 0, 0, () => '/webhooks/test'] as const),
      () => ({ webhook_url: site.url, type: 'http' }),
    ],
    [
      ...(['a resent delivery', 202, 0, 0] as const),
      async (account) => `/webhooks/deliveries/${await reportedBatch(account)}/resend`,
    ],
  ];

  const countBatches = async ({ accountId }: TestAccount) => {
    const rows = await service.db
      .selectFrom('batches')
      .select('batchId')
      .where('accountId', '=', accountId)
      .execute();
    return rows.length;
  };
  const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

  for (const [name, status, cost, batches, pathFor, bodyFor] of posts) {
    it(`create ${name} once, and get the same answer byte by byte`, async () => {
      const account = await service.account(100);
      const path = await pathFor(account);
      const before = {
        credits: await service.credits(account.accountId),
        batches: await countBatches(account),
      };
      const body = bodyFor?.();

      const answers = await Promise.all(
        Array.from({ length: 10 }, () => send(account, path, 'one', { body })),
      );
      const given = answers.filter((answer) => answer.status === status);
      const busy = answers.filter((answer) => answer.status === 409);
      expect(given.length + busy.length).to.equal(10);
      expect(given.filter((answer) => !isReplayed(answer))).to.have.lengthOf(1);
      expect(new Set(given.map(({ text }) => text)).size).to.equal(1);
      for (const answer of busy) {
        expect([answer.body.error, answer.headers.get('retry-after')]).to.deep.equal(['still_running', '2']);
      }

      const later = await send(account, path, '"one"', { body });
      expect([later.status, later.text, isReplayed(later)]).to.deep.equal([status, given[0]?.text, true]);
      for (const header of ['location', 'retry-after', 'content-type']) {
        expect(later.headers.get(header), header).to.equal(given[0]?.headers.get(header));
      }
      expect(await service.credits(account.accountId)).to.equal(before.credits - cost);
      expect(await countBatches(account)).to.equal(before.batches + batches);

      const another = await send(account, path, 'one', { body: { ...body, reference: 'another' } });
      expect([another.status, another.body.error]).to.deep.equal([409, 'idempotency_key_reused']);
      expect(await service.credits(account.accountId)).to.equal(before.credits - cost);

      await sql`update idempotency_keys set created_at = now() - interval '24 hours 1 second'
        where account_id = ${account.accountId}`.execute(service.db);
      const nextDay = await send(account, path, 'one', { body });
      expect(isReplayed(nextDay)).to.equal(false);
      expect(
        (await service.problems()).filter((problem) => !/-checks|deliveries/.test(problem)),
      ).to.deep.equal([]);
    });
  }

  it('store only successful answers', async () => {
    const account = await service.account(1);
    const bulk = (urls: string[]) => send(account, '/check/bulk', 'kept', { body: { urls } });
    expect((await bulk([])).status).to.equal(422);
    expect((await bulk(['https://a.example/', 'https://b.example/'])).status).to.equal(402);
    expect((await send(account, `/batch/${crypto.randomUUID()}/cancel`, 'kept')).status).to.equal(404);
    expect(
      (await send(account, '/check', 'kept', { body: { url: 'https://blocked.example/' } })).status,
    ).to.equal(503);
    const accepted = await bulk(['https://a.example/']);
    expect([accepted.status, isReplayed(accepted)]).to.deep.equal([202, false]);
    expect(isReplayed(await bulk(['https://a.example/']))).to.equal(true);
  });

  it('belong to one account: another account may use the same key', async () => {
    const [one, other] = [await service.account(1), await service.account(1)];
    const options = { body: { urls: ['https://a.example/'] } };
    const first = await send(one, '/check/bulk', 'shared', options);
    const second = await send(other, '/check/bulk', 'shared', options);
    expect([first.status, second.status, isReplayed(second)]).to.deep.equal([202, 202, false]);
    expect(first.body.batch_id).to.not.equal(second.body.batch_id);
  });
});
