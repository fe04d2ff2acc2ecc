import { expect } from 'chai';
import fc from 'fast-check';
import type { TestAccount } from '../support/accounts.ts';
import { bodyFor, headers, pathPart, queryString } from '../support/arbitraries.ts';
import { serveDns, type TestDns } from '../support/dns.ts';
import { type ApiRoute, apiRoutes } from '../support/routes.ts';
import { type Answer, TestService } from '../support/service.ts';

const runsPerRoute = 8;

/** Lines of results, which are no answer with `success` in it. */
const isExport = (headers: Headers) => /csv|ndjson/.test(headers.get('content-type') ?? '');

describe('whatever is asked of the API', () => {
  let service: TestService;
  let account: TestAccount;
  let dns: TestDns;
  let ids: string[];

  before(async () => {
    // No name is there, so that no check goes anywhere.
    dns = await serveDns({});
    service = await TestService.start({
      DNS_SERVERS: dns.server,
      TARGET_ALLOW_CIDRS: '',
      RATE_LIMIT_PER_MINUTE: '0',
    });
    account = await service.account(1_000_000);
    const urls = ['http://nobody.test/'];
    const { body: accepted } = await call('/http-status/bulk', { body: { urls } });
    const { body: checked } = await call('/http-status', { body: { url: urls[0] } });
    ids = [accepted.batch_id, String(checked.request_id)];
  });

  after(async () => {
    expect((await service.problems()).filter((problem) => !problem.includes('"queue"'))).to.deep.equal([]);
    await service.stop();
    dns.close();
  });

  const call = (path: string, options: object) => service.call(path, { token: account.token, ...options });

  /** What a request that is refused must leave as it was. */
  async function holdings(): Promise<object> {
    return service.db
      .selectNoFrom(({ selectFrom, fn }) => [
        selectFrom('batches').select(fn.countAll().as('batches')).as('batches'),
        // What an accepted batch is given back meanwhile is no doing of a refused request.
        selectFrom('ledgerEntries')
          .where(({ eb, or }) => or([eb('kind', '!=', 'refund'), eb('batchId', 'is', null)]))
          .select((ledger) => ledger.fn.sum('amount').as('paid'))
          .as('paid'),
      ])
      .executeTakeFirstOrThrow();
  }

  const asked = (route: ApiRoute) =>
    fc.record({
      id: fc.oneof(
        { weight: 1, arbitrary: fc.nat(1).map((index) => ids[index] ?? '') },
        { weight: 3, arbitrary: pathPart },
      ),
      query: queryString,
      headers,
      // fetch sends no body with GET, and neither does anyone else.
      body: route.method === 'GET' ? fc.constant(undefined) : bodyFor(route.path),
    });

  function expectDecent({ status, headers, body, text }: Answer): void {
    // The sandbox plays a provider, and so now and then one that fails.
    if (status === 503)
      expect(body.error).to.be.oneOf(['google_unreadable', 'query_rewritten', 'provider_refused']);
    else expect(status).to.be.within(200, 499);
    if (status === 304) return;
    if (status === 200 && isExport(headers)) return;
    expect(body.success ?? body.credits !== undefined, text).to.equal(status < 400);
    if (status < 400) return;
    expect(body.message).to.be.a('string').and.not.equal('');
    expect(body.error).to.match(/^[a-z0-9_]+$/);
    expect(text).to.not.match(
      /node_modules|\.ts:|\bat \w+ \(|postgres|kysely|constraint|syntax error|SELECT|INSERT/,
    );
  }

  it('each route answers decently, and what it refuses changes nothing', async () => {
    let requests = 0;
    // Since the last answer nobody else did anything: what that left is what the next one finds.
    let found: object | null = null;
    for (const route of apiRoutes(service)) {
      await fc.assert(
        fc.asyncProperty(asked(route), async ({ id, query, ...request }) => {
          const before = found ?? (await holdings());
          found = null;
          const path = `${route.path.replace(/:\w+/, () => id)}${query ? `?${query}` : ''}`;
          const answer = await call(path, { method: route.method, ...request });
          requests += 1;
          expectDecent(answer);
          if (answer.status < 400) return;
          found = await holdings();
          expect(found).to.deep.equal(before);
        }),
        { numRuns: runsPerRoute, includeErrorInReport: true, interruptAfterTimeLimit: 30_000 },
      );
    }
    process.stdout.write(`      ${requests} requests to ${apiRoutes(service).length} routes\n`);
  });
});
