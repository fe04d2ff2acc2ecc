import { expect } from 'chai';
import { sql } from 'kysely';
import { readDatabaseConfig } from '../../config/config.ts';
import { migrate, pendingMigrations } from '../../db/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/log.ts';
import { pgbouncerVersion, startPgbouncer, type TestPooler } from '../support/pgbouncer.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords } from '../support/records.ts';
import { TestService } from '../support/service.ts';
import { serveSite, type TestSite } from '../support/web.ts';

describe('PgBouncer in transaction mode', () => {
  let site: TestSite;
  let pooler: TestPooler;
  let service: TestService;

  before(async function () {
    if ((await pgbouncerVersion()) === null) {
      console.log('    PgBouncer is not installed (apt-get install pgbouncer), so this is not tried');
      this.skip();
    }
    site = await serveSite();
    service = await TestService.start(
      { RATE_LIMIT_PER_MINUTE: '100000' },
      {
        worker: true,
        pooler: async (url) => {
          pooler = await startPgbouncer(url, 4);
          return pooler.pooled(url);
        },
      },
    );
  });

  after(async () => {
    await service?.stop();
    await pooler?.close();
    await site?.close();
  });

  it('completes batches of many callers and single checks, and the books are right', async () => {
    const callers = await Promise.all(Array.from({ length: 8 }, () => service.account(300)));
    const urls = Array.from({ length: 100 }, (_, index) => `${site.url}/good?${index}`);
    const queries = Array.from({ length: 20 }, (_, index) => ({
      url: 'rank-7.example',
      keyword: `word ${index}`,
    }));
    await Promise.all(
      callers.map(async ({ token, accountId }) => {
        const post = (path: string, body: object) =>
          service.call(path, { token, body, headers: { 'Idempotency-Key': path } });
        const [http, keyword, single] = await Promise.all([
          post('/http-status/bulk', { urls }),
          post('/keyword-track', { queries }),
          post('/http-status', { url: urls[0] }),
        ]);
        expect([http.status, keyword.status, single.status]).to.deep.equal([202, 202, 200]);
        for (const { body } of [http, keyword]) {
          const batch = await service.ended(token, body.batch_id);
          expect(batch).to.include({ status: 'completed', failed: 0, successful: body.total });
        }
        expect((await post('/http-status/bulk', { urls })).text).to.equal(http.text);
        expect(await service.credits(accountId)).to.equal(300 - 100 - 20 - 1);
      }),
    );
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
  });

  it('is not used for anything that lasts longer than a transaction', async () => {
    // A session is listed with its name only after it has sent it.
    await eventually(async () => {
      const clients = (await pooler.show('clients')).filter(({ database }) => database !== 'pgbouncer');
      const names = new Set(clients.map(({ application_name: name }) => name));
      return clients.length > 4 && [...names].sort().join() === 'sonde,sonde-queue-web' ? true : null;
    });
    const settings = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { rows } = await sql<{ kept: string }>`
          select current_setting('lock_timeout') || ' ' || current_setting('statement_timeout') || ' ' ||
            (select count(*) from pg_prepared_statements) as kept`.execute(service.db);
        return rows[0]?.kept;
      }),
    );
    expect(new Set(settings)).to.deep.equal(new Set(['0 0 0']));
  });

  it('leaves rate limits exact, since they are counted in Postgres', async () => {
    const { token, accountId } = await service.account(0);
    await service.call('/credits', { token });
    // Their window lasts at least as long as the others take.
    await sql`update rate_limits set expire = expire + 3600000`.execute(service.db);
    await Promise.all(Array.from({ length: 59 }, () => service.call('/credits', { token })));
    const { points } = await service.db
      .selectFrom('rateLimits')
      .select('points')
      .where('key', '=', `get:${accountId}`)
      .executeTakeFirstOrThrow();
    expect(points).to.equal(60);
  });
});

describe('migrations', () => {
  itOnOneServer('bypass the pooler', async () => {
    const records = await borrowRecords(2);
    await sql`drop schema public, pgboss cascade`.execute(records.db);
    await sql`create schema public`.execute(records.db);
    const deadPooler = 'postgres://sonde@127.0.0.1:1/sonde';
    const config = readDatabaseConfig({ DATABASE_URL: deadPooler, DATABASE_DIRECT_URL: records.url });
    await migrate(config, silentLog);
    expect(await pendingMigrations(records.db)).to.deep.equal([]);
    expect(await records.db.selectFrom('rateLimits').selectAll().execute()).to.deep.equal([]);
    await records.giveBack();
  });
});
