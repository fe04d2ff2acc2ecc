import { expect } from 'chai';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import { startWeb } from '../../server/main.ts';
import type { TestAccount } from '../support/accounts.ts';
import { revokeToken } from '../support/accounts.ts';
import { afterTest } from '../support/after-test.ts';
import { silentLog } from '../support/log.ts';
import { apiRoutes } from '../support/routes.ts';
import { type Answer, useService } from '../support/service.ts';

/** Values for a path parameter: an id of the owner, an unknown id, and a malformed one. */
interface Parameter {
  own: string;
  missing: string;
  malformed: string[];
}

const number = {
  missing: '999999999999999',
  malformed: ['0', '-1', '1e3', '0x1', '9'.repeat(30), '1.0', 'x', '%00', '٣'],
};
const monitor = { name: 'M', type: 'index', urls: ['https://example.com/'], schedule: { every: 'day' } };

describe('tenants', () => {
  const service = useService();
  let owner: TestAccount;
  let stranger: TestAccount;
  let parameters: Record<string, Parameter>;

  before(async () => {
    owner = await service.account(100);
    stranger = await service.account(100);
    const urls = ['https://example.com/'];
    // Nothing listens at the webhook URL, but the delivery is stored.
    const body = { urls, webhook_url: 'http://127.0.0.1:9/hook', reference: 'mine' };
    const { body: accepted } = await as(owner, '/http-status/bulk', { body });
    const batchId: string = accepted.batch_id;
    await as(owner, `/batch/${batchId}/cancel`, { method: 'POST' });
    const { body: batch } = await as(owner, `/batch/${batchId}`);
    const { monitor_id: monitorId } = (await as(owner, '/monitors', { body: monitor })).body.monitor;
    const noted = await as(owner, `/monitors/${monitorId}/annotations`, { body: { text: 'Launch' } });
    parameters = {
      ':annotation_id': {
        own: String(noted.body.annotation.annotation_id),
        ...number,
      },
      ':batch_id': {
        own: batchId,
        missing: '00000000-0000-4000-8000-000000000000',
        malformed: ['1', 'x', `${batchId}x`, `%00${batchId}`, "'", '..%2f..', `${batchId}%20`],
      },
      ':member_id': {
        own: String(
          await users.create(service.db, { ...owner, email: 'own@example.com', passwordHash: null }),
        ),
        ...number,
      },
      ':token_id': {
        own: String((await as(owner, '/tokens', { body: { name: 'mine' } })).body.token_id),
        ...number,
      },
      ':monitor_id': {
        own: monitorId,
        missing: '00000000-0000-4000-8000-000000000000',
        malformed: ['1', 'x', "'", '..%2f..', '%00'],
      },
      ':request_id': {
        own: String(batch.results[0].request_id),
        ...number,
      },
    };
  });

  const as = (account: TestAccount, path: string, options = {}) =>
    service.call(path, { token: account.token, ...options });

  // Deletions come last, and those of nested things before those of their parents.
  const isLater = ({ method, path }: { method: string; path: string }) =>
    method === 'DELETE' ? 10 - path.split(':').length : 0;
  const routes = () =>
    apiRoutes(service)
      .filter(({ path }) => path.includes(':'))
      .sort((one, other) => isLater(one) - isLater(other));

  it('are separated on every route with an id', async () => {
    expect(routes()).to.have.length.at.least(4);
    for (const { method, path } of routes()) {
      const bodies: Record<string, object> = { PATCH: { role: 'member' } };
      // The last parameter is tested. Those before it belong to the owner.
      const names = path.match(/:\w+/g) ?? [];
      const name = names.at(-1) ?? '';
      const parameter = parameters[name];
      // A new kind of id needs a row in the table above.
      if (!parameter) throw new Error(`${method} ${path}: no row for ${name}`);
      const under = names.slice(0, -1).reduce((at, one) => at.replace(one, parameters[one]?.own ?? ''), path);
      const ask = async (account: TestAccount, id: string) =>
        withoutVolatile(await as(account, under.replace(name, id), { method, body: bodies[method] }));
      const foreign = await ask(stranger, parameter.own);
      expect(foreign.status, `${method} ${path}`).to.equal(404);
      expect(foreign, `${method} ${path}`).to.deep.equal(await ask(stranger, parameter.missing));
      for (const id of parameter.malformed) {
        expect(await ask(stranger, id), `${method} ${path} with ${id}`).to.deep.equal(foreign);
      }
      expect((await ask(owner, parameter.own)).status, `${method} ${path} by its owner`).to.not.equal(404);
    }
    expect(await service.credits(stranger.accountId)).to.equal(100);
  });

  it('see nothing of each other in lists, also by URLs and cursors', async () => {
    for (const list of ['/batches', '/history', '/credits/ledger', '/activity']) {
      const mine = (await as(owner, `${list}?per_page=1`)).body;
      const next = mine.next_page_url && new URL(mine.next_page_url).search;
      const cursor = mine.next_cursor && `?cursor=${encodeURIComponent(mine.next_cursor)}`;
      for (const query of ['', next, cursor].filter((query) => query !== null && query !== undefined)) {
        const { body } = await as(stranger, `${list}${query}`);
        const text = JSON.stringify(body.data);
        expect(text, list + query).to.not.include(parameters[':batch_id']?.own);
        // Only the account's own opening grant is visible.
        expect(body.data.length, list + query).to.be.at.most(list === '/credits/ledger' ? 1 : 0);
      }
    }
  });

  it('are rejected by every web process as soon as a token is revoked', async () => {
    const another = await startWeb(service.config, silentLog);
    afterTest(() => another.stop());
    const { accountId, token } = await service.account();
    const kept = await tokens.issue(service.db, accountId, 'kept');
    const everywhere = (token: string) =>
      Promise.all(
        [service.baseUrl, `http://127.0.0.1:${another.port}`].map(async (base) => {
          const headers = { Authorization: `Bearer ${token}` };
          return (await fetch(`${base}/api/v1/credits`, { headers })).status;
        }),
      );
    expect(await everywhere(token)).to.deep.equal([200, 200]);
    await revokeToken(service.db, token);
    expect(await everywhere(token)).to.deep.equal([401, 401]);
    expect(await everywhere(kept)).to.deep.equal([200, 200]);
  });
});

/** Returns an answer without the parts that differ for each request. */
function withoutVolatile({ status, headers, text }: Answer) {
  const perRequest = /^(date|x-request-id|ratelimit.*|x-ratelimit.*)$/;
  return { status, text, headers: [...headers].filter(([name]) => !perRequest.test(name)) };
}
