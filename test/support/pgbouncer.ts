import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** A real PgBouncer in front of one Postgres. */
export interface TestPooler {
  /** Returns the URL of the database through the pooler. */
  pooled(url: string): string;
  /** Returns the rows of a SHOW command. */
  show(what: string): Promise<Array<Record<string, unknown>>>;
  close(): Promise<void>;
}

/** Returns the version of PgBouncer, or null when it is not installed. */
export async function pgbouncerVersion(): Promise<string | null> {
  return run('pgbouncer', ['--version']).then(
    ({ stdout }) => stdout.split('\n')[0] ?? '',
    () => null,
  );
}

/** Starts a PgBouncer in transaction mode, with fewer server connections than its clients want. */
export async function startPgbouncer(databaseUrl: string, poolSize: number): Promise<TestPooler> {
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
