import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbedded } from '../../local/embedded.ts';
import { freePort } from '../support/free-port.ts';

/** A coordinator and data nodes on loopback, each a Postgres in its own folder. */
export interface Cluster {
  /** Addresses for the superuser; the coordinator first. */
  adminUrls: string[];
  /** Addresses of the database `sonde` for its owner, a normal user; the coordinator first. */
  urls: string[];
  /** Data folders of the nodes, in the same order. */
  folders: string[];
  /** Starts a stopped node again. */
  startAgain(node: number): Promise<void>;
  stop(): Promise<void>;
}

interface ClusterOptions {
  /** The folder with the binaries of a Postgres that has Citus. */
  binaries: string;
  dataNodes?: number;
  isThrowaway?: boolean;
}

/** Starts a cluster in a folder, and creates its database `sonde` for distributed tables. */
export async function startCluster(
  folder: string,
  { binaries, dataNodes = 2, isThrowaway = false }: ClusterOptions,
): Promise<Cluster> {
  const names = ['coordinator', ...Array.from({ length: dataNodes }, (_, index) => `node-${index + 1}`)];
  const password = randomBytes(16).toString('hex');
  const nodes: EmbeddedPostgres[] = [];
  const folders = names.map((name) => join(folder, name));
  const options = { binaries, isThrowaway, settings: [...settings, ...(isThrowaway ? settingsOfMany : [])] };
  for (const home of folders) {
    await mkdir(home, { recursive: true, mode: 0o700 });
    // All nodes have the same certificate, so that they accept each other.
    await writeFile(join(home, 'postgres-password'), `${password}\n`, { mode: 0o600, flag: 'wx' });
    nodes.push(await startEmbedded(home, { ...options, port: await freePort() }));
  }
  const adminUrls = nodes.map(({ adminUrl }) => adminUrl);
  await joinNodes(adminUrls.map((url) => toDatabaseUrl(url, 'sonde')));
  return {
    adminUrls,
    urls: nodes.map(({ url }) => url),
    folders,
    startAgain: async (node) => {
      await startEmbedded(folders[node] ?? '', { ...options, port: parsePort(adminUrls[node] ?? '') });
    },
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}

const settings = [
  'shared_preload_libraries=citus',
  'citus.node_conninfo=sslmode=disable',
  // Each database has a background process on each node.
  'max_worker_processes=200',
  'max_connections=600',
  // Prepared transactions of a dead coordinator are ended soon.
  'citus.recover_2pc_interval=2s',
];

// Many small, short-lived databases.
const settingsOfMany = [
  'citus.shard_count=4',
  // Some tests damage the ledger, and must bypass its triggers.
  'citus.enable_unsafe_triggers=on',
  'citus.recover_2pc_interval=-1',
  // The detector queries the nodes from within each database, which blocks dropping it.
  'citus.distributed_deadlock_detection_factor=-1',
];

/** Turns a database that exists on all these nodes into a cluster. The coordinator comes first. */
export async function joinNodes(urls: string[]): Promise<void> {
  const [coordinator = '', ...dataNodes] = urls;
  const { username, password } = new URL(coordinator);
  for (const url of urls) {
    await asAdmin(url, [
      'create extension if not exists citus',
      ...[username, 'sonde'].map(
        (role) => `insert into pg_dist_authinfo values (0, '${role}', 'password=${password}')`,
      ),
    ]);
  }
  await asAdmin(coordinator, [
    `select citus_set_coordinator_host('127.0.0.1', ${parsePort(coordinator)})`,
    ...dataNodes.map((url) => `select citus_add_node('127.0.0.1', ${parsePort(url)})`),
  ]);
}

/** Runs statements one after the other, each in its own transaction, and returns the rows of the last. */
export async function asAdmin(url: string, statements: string[]): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Errors after the answer, or on a cut connection, are not failures of the statement.
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: pg.QueryResultRow[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

function parsePort(url: string): number {
  return Number(new URL(url).port);
}

export function toDatabaseUrl(adminUrl: string, database: string): string {
  return Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href;
}
