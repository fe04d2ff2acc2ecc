import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbedded } from '../../local/embedded.ts';
import { freePort } from '../support/free-port.ts';

/** A coordinator and data nodes on loopback, each a Postgres of its own in a folder of its own. */
export interface Cluster {
  /** As the superuser; the coordinator first. */
  adminUrls: string[];
  /** The database `sonde` as its owner, who is no superuser, at each node; the coordinator first. */
  urls: string[];
  /** Where the nodes keep their data, in the same order. */
  folders: string[];
  /** Starts a node that was stopped, as it was. */
  startAgain(node: number): Promise<void>;
  stop(): Promise<void>;
}

interface ClusterOptions {
  /** The folder with the binaries of a Postgres that has Citus. */
  binaries: string;
  dataNodes?: number;
  isThrowaway?: boolean;
}

/** Starts a cluster in a folder, and makes its database `sonde` one that tables can be distributed in. */
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
    // One for all, by which they let each other in.
    await writeFile(join(home, 'postgres-password'), `${password}\n`, { mode: 0o600, flag: 'wx' });
    nodes.push(await startEmbedded(home, { ...options, port: await freePort() }));
  }
  const adminUrls = nodes.map(({ adminUrl }) => adminUrl);
  await joinNodes(adminUrls.map((url) => urlOf(url, 'sonde')));
  return {
    adminUrls,
    urls: nodes.map(({ url }) => url),
    folders,
    startAgain: async (node) => {
      await startEmbedded(folders[node] ?? '', { ...options, port: portOf(adminUrls[node] ?? '') });
    },
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}

const settings = [
  'shared_preload_libraries=citus',
  'citus.node_conninfo=sslmode=disable',
  // Each database has a process of its own at each node.
  'max_worker_processes=200',
  'max_connections=600',
  // Of a transaction whose coordinator died: what is prepared is ended soon.
  'citus.recover_2pc_interval=2s',
];

// Many databases that come and go: small ones.
const settingsOfMany = [
  'citus.shard_count=4',
  // For tests that damage the books, past the triggers that forbid it.
  'citus.enable_unsafe_triggers=on',
  'citus.recover_2pc_interval=-1',
  // It asks the other nodes from within each database, and keeps that from being dropped.
  'citus.distributed_deadlock_detection_factor=-1',
];

/** Makes one cluster of a database that is there at all these nodes, the coordinator first. */
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
    `select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`,
    ...dataNodes.map((url) => `select citus_add_node('127.0.0.1', ${portOf(url)})`),
  ]);
}

/** Runs statements one after the other, each in a transaction of its own, and answers the rows of the last. */
export async function asAdmin(url: string, statements: string[]): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // What is said after the answer, or to a connection that is cut, is no failure of the statement.
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

function portOf(url: string): number {
  return Number(new URL(url).port);
}

export function urlOf(adminUrl: string, database: string): string {
  return Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href;
}
