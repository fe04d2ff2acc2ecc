import { expect } from 'chai';
import fc from 'fast-check';
import { bodyFor, headers, pathPart, queryString } from '../support/arbitraries.ts';
import { useDns } from '../support/dns.ts';
import { type ApiRoute, apiRoutes } from '../support/routes.ts';
import { type Answer, useAccount, useService } from '../support/service.ts';

const runsPerRoute = 5;

/** Exports have lines of results instead of `success`. */
const isExport = (headers: Headers) => /csv|ndjson|spreadsheet/.test(headers.get('content-type') ?? '');

describe('arbitrary API requests', () => {
  // No name resolves, so that no check connects anywhere.
  const dns = useDns({});
  const service = useService(() => ({ DNS_SERVERS: dns.server, TARGET_ALLOW_CIDRS: '' }));
  const account = useAccount(service, 1_000_000);
  let ids: string[];

  before(async () => {
    const urls = ['http://nobody.test/'];
    const { body: accepted } = await call('/http-status/bulk', { body: { urls } });
    const { body: checked } = await call('/http-status', { body: { url: urls[0] } });
    ids = [accepted.batch_id, String(checked.request_id)];
  });

  afterEach(async () => {
    expect((await service.problems()).filter((problem) => !problem.includes('"queue"'))).to.deep.equal([]);
  });

  const call = (path: string, options: object) => service.call(path, { token: account.token, ...options });

  /** Returns the state that a rejected request must not change. */
  async function readState(): Promise<object> {
    return service.db
      .selectNoFrom(({ selectFrom, fn }) => [
        selectFrom('batches').select(fn.countAll().as('batches')).as('batches'),
        // Refunds of an accepted batch are not caused by a rejected request.
        selectFrom('ledgerEntries')
          .where(({ eb, or }) => or([eb('kind', '!=', 'refund'), eb('batchId', 'is', null)]))
          .select((ledger) => ledger.fn.sum('amount').as('paid'))
          .as('paid'),
      ])
      .executeTakeFirstOrThrow();
  }

  const arbitraryRequest = (route: ApiRoute) =>
    fc.record({
      id: fc.oneof(
        { weight: 1, arbitrary: fc.nat(1).map((index) => ids[index] ?? '') },
        { weight: 3, arbitrary: pathPart },
      ),
      query: queryString,
      headers,
      // fetch sends no body with GET.
      body: route.method === 'GET' ? fc.constant(undefined) : bodyFor(route.path),
    });

  function expectValid({ status, headers, body, text }: Answer): void {
    // The sandbox provider fails now and then.
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

  it('get a valid answer on each route, and change nothing when rejected', async () => {
    let requests = 0;
    // Nothing else runs, so the state after one answer is the state before the next.
    let found: object | null = null;
    for (const route of apiRoutes(service)) {
      await fc.assert(
        fc.asyncProperty(arbitraryRequest(route), async ({ id, query, ...request }) => {
          const before = found ?? (await readState());
          found = null;
          const path = `${route.path.replace(/:\w+/, () => id)}${query ? `?${query}` : ''}`;
          const answer = await call(path, { method: route.method, ...request });
          requests += 1;
          expectValid(answer);
          if (answer.status < 400) return;
          found = await readState();
          expect(found).to.deep.equal(before);
        }),
        { numRuns: runsPerRoute, includeErrorInReport: true, interruptAfterTimeLimit: 30_000 },
      );
    }
    process.stdout.write(`      ${requests} requests to ${apiRoutes(service).length} routes\n`);
  });
});
