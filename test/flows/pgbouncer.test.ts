import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { sql } from 'kysely';
import pg from 'pg';
import { readDatabaseConfig } from '../../config/config.ts';
import { migrate, pendingMigrations } from '../../db/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { silentLog } from '../support/log.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords } from '../support/records.ts';
import { TestService } from '../support/service.ts';
import { serveSite, type TestSite } from '../support/web.ts';

const run = promisify(execFile);

/** A real PgBouncer in front of one Postgres. */
interface TestPooler {
  /** Returns the URL of the database through the pooler. */
  pooled(url: string): string;
  /** Returns the rows of a SHOW command. */
  show(what: string): Promise<Array<Record<string, unknown>>>;
  close(): Promise<void>;
}

/** Returns the version of PgBouncer, or null when it is not installed. */
async function pgbouncerVersion(): Promise<string | null> {
  return run('pgbouncer', ['--version']).then(
    ({ stdout }) => stdout.split('\n')[0] ?? '',
    () => null,
  );
}

/** Starts a PgBouncer in transaction mode, with fewer server connections than its clients want. */
async function startPgbouncer(databaseUrl: string, poolSize: number): Promise<TestPooler> {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-pgbouncer-'));
  const port = await freePort();
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  await writeFile(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${serverPort || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
admin_users = ${username}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
`,
  );
  // As root, PgBouncer changes to another user, who must be able to read these files.
  await chmod(folder, 0o755);
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...asNobody, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
  const pooled = (url: string) => Object.assign(new URL(url), { hostname: '127.0.0.1', port }).href;
  const show = (what: string) => ask(pooled(toUrl(databaseUrl, 'pgbouncer')), `show ${what}`);
  await eventually(async () => show('version').catch(() => null));
  return {
    pooled,
    show,
    close: async () => {
      await stop(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function toUrl(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}

/** Queries PgBouncer's console. It supports the simple protocol only, which pg uses without parameters. */
async function ask(url: string, statement: string): Promise<Array<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

describe('PgBouncer in transaction mode', () => {
  let site: TestSite;
  let pooler: TestPooler;
  let service: TestService;

  before(async function () {
    if ((await pgbouncerVersion()) === null) {
      console.log('    skipped: PgBouncer is not installed (apt-get install pgbouncer)');
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
    const callers = await Promise.all(Array.from({ length: 6 }, () => service.account(100)));
    const urls = Array.from({ length: 60 }, (_, index) => `${site.url}/good?${index}`);
    const queries = Array.from({ length: 12 }, (_, index) => ({
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
        expect(await service.credits(accountId)).to.equal(100 - 60 - 12 - 1);
      }),
    );
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
  });

  it('is not used for anything that lasts longer than a transaction', async () => {
    // A session is listed with its name only after it has sent the name.
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
