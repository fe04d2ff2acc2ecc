import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as users from '../../db/accounts/users.ts';
import { listStatuses, operations } from '../../schemas/openapi.ts';
import type { Operation } from '../../schemas/operations/operation.ts';
import type { TestAccount } from '../support/accounts.ts';
import { apiWrites, type Call, type PrepareWrite, urls } from '../support/api-writes.ts';
import { observe } from '../support/contract.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { type CallOptions, TestService, useAccount, useService } from '../support/service.ts';

const nobody = () => Promise.reject(new Error('nobody joins'));
const secured = operations.filter(({ isOpen }) => !isOpen);
const writes = secured.filter(({ method }) => method !== 'get');
const toPath = ({ path }: Operation) =>
  path
    .replace('/api/v1', '')
    .replace(/\{(batch|monitor)_id\}/, '00000000-0000-4000-8000-000000000000')
    .replace(/\{\w+_id\}/, '999999999');
const answering = (status: number) =>
  operations.filter((operation) => listStatuses(operation).includes(status));

describe('every operation', () => {
  const service = useService();
  const account = useAccount(service, 1000);

  const callAs =
    ({ token }: TestAccount): Call =>
    (path, options = {}) =>
      service.call(path, { token, ...options });
  const getStatus = async ({ method, ...operation }: Operation, options: CallOptions) =>
    (await callAs(account)(toPath({ method, ...operation }), { method: method.toUpperCase(), ...options }))
      .status;

  /** Sends the headers of a request with a body of so many bytes, and returns the status of the answer. */
  async function announce(operation: Operation, bytes: number): Promise<number> {
    const path = `/api/v1${toPath(operation)}`;
    const sent = request(service.baseUrl + path, {
      method: operation.method.toUpperCase(),
      headers: {
        Authorization: `Bearer ${account.token}`,
        'Content-Type': 'application/json',
        'Content-Length': bytes,
      },
    });
    sent.on('error', () => {}).flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await json(response);
    sent.destroy();
    const status = response.statusCode ?? 0;
    const headers = new Headers(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    );
    observe(operation.method.toUpperCase(), path, { status, headers, body });
    return status;
  }

  it('needs a token: 401', async () => {
    for (const operation of secured) expect(await getStatus(operation, { token: null })).to.equal(401);
  });

  it('with a body rejects one that is not JSON, is too large, or has another type', async () => {
    for (const operation of writes) {
      expect(await getStatus(operation, { raw: '{' })).to.equal(400);
      expect(await announce(operation, 8 * 1024 * 1024 + 1)).to.equal(413);
      expect(await getStatus(operation, { raw: 'a=b', headers: { 'Content-Type': 'text/plain' } })).to.equal(
        415,
      );
      expect(
        await getStatus(operation, { headers: { 'Idempotency-Key': 'x'.repeat(256) }, body: {} }),
      ).to.equal(422);
    }
  });

  it('with a query or an id validates it', async () => {
    for (const { parameters, ...operation } of answering(422).filter(({ method }) => method === 'get')) {
      const bad = ['per_page=0', 'results=all', 'include=all', 'change=x', 'from=x'].find((query) =>
        parameters?.some(({ name }) => query.startsWith(`${name}=`)),
      );
      expect((await callAs(account)(`${toPath(operation)}?${bad}`)).status, operation.id).to.equal(422);
    }
    for (const operation of answering(404).filter(({ isOpen }) => !isOpen)) {
      const body = operation.method === 'patch' ? { role: 'member' } : undefined;
      expect(await getStatus(operation, { body }), operation.id).to.equal(404);
    }
  });

  it('with an id rejects one that cannot be decoded: 400', async () => {
    for (const { path, method } of secured.filter((operation) => operation.path.includes('{'))) {
      const odd = path.replace('/api/v1', '').replace(/\{\w+\}/, '%ff');
      expect((await callAs(account)(odd, { method: method.toUpperCase() })).status, path).to.equal(400);
    }
  });

  it('that only reads succeeds for an empty account: 200', async () => {
    for (const operation of secured.filter(({ method, path }) => method === 'get' && !path.includes('{'))) {
      const required = operation.parameters?.filter(({ required }) => required) ?? [];
      const query = required.map(({ name }) => `${name}=example`).join('&');
      const { status } = await callAs(account)(`${toPath(operation)}?${query}`);
      expect(status, operation.id).to.equal(200);
    }
  });

  it('on a batch whose results were deleted says so: 410', async () => {
    const call = callAs(account);
    const id = (await call('/check/bulk', { body: { urls: ['none'], on_invalid: 'skip' } })).body.batch_id;
    await sql`update batches set purged_at = now() where batch_id = ${id}`.execute(service.db);
    for (const { path, method } of answering(410)) {
      const gone = path.replace('/api/v1', '').replace('{batch_id}', id);
      expect((await call(gone, { method: method.toUpperCase() })).status, path).to.equal(410);
    }
  });

  for (const { id, method } of writes) {
    it(`${id} runs once per Idempotency-Key: 409 for another request`, async () => {
      const call = callAs(account);
      const address = { email: `${id}@example.com`, passwordHash: null };
      const person = { accountId: account.accountId, role: 'member' as const, ...address };
      const join = () => users.create(service.db, person);
      const { path, body } = await (apiWrites[id] as PrepareWrite)(call, async () => {}, join);
      const headers = { 'Idempotency-Key': id };
      const ask = (asked: object) => call(path, { method: method.toUpperCase(), body: asked, headers });
      const first = await ask(body);
      expect(first.status).to.be.within(200, 202);
      const again = await ask(body);
      expect([again.text, again.headers.get('idempotent-replayed')]).to.deep.equal([first.text, 'true']);
      expect((await ask({ ...body, more: 1 })).status).to.equal(409);
    });
  }

  for (const { id } of answering(402)) {
    it(`${id} needs credits: 402`, async () => {
      const poor = await service.account(apiWrites[id]?.length === 2 ? 1 : 0);
      const call = callAs(poor);
      const spend = async () => void (await call('/check', { body: { url: urls[0] } }));
      const { path, body } = await (apiWrites[id] as PrepareWrite)(call, spend, nobody);
      expect((await call(path, { body })).status).to.equal(402);
    });
  }
});

describe('every operation, for an account over its rate limit', () => {
  it('is rejected: 429', async () => {
    const service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '1' });
    const { token } = await service.account(0);
    await service.call('/nothing', { token, method: 'POST' });
    for (let reads = 0; reads < 10; reads++) await service.call('/nothing', { token });
    for (const operation of secured) {
      const { status } = await service.call(toPath(operation), {
        token,
        method: operation.method.toUpperCase(),
      });
      expect(status, operation.id).to.equal(429);
    }
    await service.stop();
  });
});

describe('every operation, when the database', () => {
  it('misses a table: 500', async () => {
    const service = await TestService.start();
    const { token } = await service.account(1);
    await sql`alter table api_tokens rename to lost`.execute(service.db);
    await sql`alter table kysely_migration rename column name to lost`.execute(service.db);
    for (const operation of answering(500)) {
      const path = operation.isOpen ? `/${operation.path}` : toPath(operation);
      const { status, body } = await service.call(path, { token, method: operation.method.toUpperCase() });
      expect([status, body.error], operation.id).to.deep.equal([500, 'server_error']);
      expect(body.message, operation.id).to.contain('Try again with the same Idempotency-Key.');
    }
    await service.stop();
  });

  it('is unreachable: 503', async () => {
    const proxy = new PostgresProxy();
    const service = await TestService.start({}, { pooler: proxy.open });
    const { token } = await service.account(1);
    await proxy.close();
    for (const operation of answering(503)) {
      const path = operation.isOpen ? `/${operation.path}` : toPath(operation);
      const { status } = await service.call(path, { token, method: operation.method.toUpperCase() });
      expect(status, operation.id).to.equal(503);
    }
    await service.stop();
  });
});
