import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Environment, readDatabaseConfig } from '../../config/config.ts';
import { migrate } from '../../db/migrate.ts';
import { type Connection, connect, type Db } from '../../db/postgres/connect.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../local/embedded.ts';
import { type Cluster, startCluster } from '../citus/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/log.ts';
import { Gate } from './gate.ts';

/**
 * A Postgres with fsync, or a cluster of Citus with its data nodes. The run can make it fail. On a cluster, most faults
 * affect the coordinator.
 */
export class ChaosDatabase {
  readonly folder: string;
  /** The proxy between the processes and Postgres. */
  readonly gate: Gate;
  #postgres: EmbeddedPostgres;
  readonly #cluster: Cluster | null;
  readonly #control: Connection;
  readonly #controlGate: Gate;

  private constructor(
    folder: string,
    { postgres, cluster }: { postgres: EmbeddedPostgres; cluster: Cluster | null },
    gates: { gate: Gate; controlGate: Gate },
  ) {
    this.folder = folder;
    this.#postgres = postgres;
    this.#cluster = cluster;
    this.gate = gates.gate;
    this.#controlGate = gates.controlGate;
    const url = new URL(through(postgres.adminUrl, gates.controlGate.port));
    url.pathname = '/sonde';
    this.#control = connect(url.href, 4, () => {});
  }

  /** `citus`: folder with the binaries of a Postgres that has Citus; without it, one embedded Postgres. */
  static async start(citus?: string): Promise<ChaosDatabase> {
    const folder = await mkdtemp(join(tmpdir(), 'sonde-chaos-'));
    const cluster = citus === undefined ? null : await startCluster(folder, { binaries: citus });
    const postgres = cluster ? toCoordinator(cluster) : await startEmbedded(folder);
    const env = { DATABASE_URL: postgres.url, ...(cluster ? { DATABASE_BACKEND: 'citus' } : {}) };
    await migrate(readDatabaseConfig(env), silentLog);
    // The port is not stored, because a restarted Postgres has another one.
    let database: ChaosDatabase | null = null;
    const port = () => Number(new URL((database?.postgres ?? postgres).url).port);
    const gates = { gate: await Gate.open(port, folder), controlGate: await Gate.open(port, folder) };
    database = new ChaosDatabase(folder, { postgres, cluster }, gates);
    return database;
  }

  get postgres(): EmbeddedPostgres {
    return this.#postgres;
  }

  /** Number of data nodes; 0 for one Postgres. */
  get dataNodes(): number {
    return (this.#cluster?.urls.length ?? 1) - 1;
  }

  /** Returns a process's settings: over loopback or a Unix socket, `name` as its `application_name`. */
  env(by: 'loopback' | 'socket', name: string): Environment {
    const url = this.#address(by, name);
    return { DATABASE_URL: url, ...(this.#cluster ? { DATABASE_BACKEND: 'citus' } : {}) };
  }

  /** The run's own connection, as the superuser. It fails only while the server is stopped. */
  get db(): Db {
    return this.#control.db;
  }

  /** Address of the only node, or of the coordinator. */
  #address(by: 'loopback' | 'socket', name: string): string {
    const url = new URL(through(this.#postgres.url, this.gate.port));
    url.searchParams.set('application_name', name);
    if (by === 'socket') url.searchParams.set('host', this.folder);
    return url.href;
  }

  /** Stops like `pg_ctl stop -m immediate`: no checkpoint. `node`: a data node, from 1; 0 for the coordinator. */
  async stopImmediately(node = 0): Promise<void> {
    const pid = this.#quit(node);
    await eventually(async () => (isAlive(pid) ? null : true));
  }

  /** Kills the servers if our own process ends early. */
  readonly abandon = (): void => {
    for (let node = 0; node <= this.dataNodes; node++) this.#quit(node);
  };

  #quit(node: number): number {
    const home = this.#cluster?.folders[node] ?? this.folder;
    const pid = Number(readFileSync(join(home, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    return pid;
  }

  async startAgain(node = 0): Promise<void> {
    if (this.#cluster) await this.#cluster.startAgain(node);
    else this.#postgres = await startEmbedded(this.folder);
  }

  /** Ends every session of the processes, and returns their number. */
  async cutConnections(): Promise<number> {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where usename = 'sonde'`.execute(this.db);
    return rows.length;
  }

  /** Limits the number of sessions; null removes the limit. Hosted databases also limit the role. */
  async limitConnections(max: number | null): Promise<void> {
    await sql.raw(`alter role sonde connection limit ${max ?? -1}`).execute(this.db);
  }

  /** Acts as a primary that became a standby: sessions that begin now are read-only until they end. */
  async setReadOnly(isReadOnly: boolean): Promise<void> {
    await sql.raw(`alter role sonde set default_transaction_read_only = ${isReadOnly}`).execute(this.db);
  }

  /** Counts the sessions that listen for jobs. */
  async countListeners(): Promise<number> {
    const { rows } = await sql`
      select from pg_stat_activity
      where usename = 'sonde' and (query ilike 'listen%' or query ilike '%pg_listening_channels%')`.execute(
      this.db,
    );
    return rows.length;
  }

  async stop({ isKept = false } = {}): Promise<void> {
    await this.#control.close().catch(() => {});
    await Promise.all([this.gate.close(), this.#controlGate.close()]);
    await this.#postgres.stop().catch(() => {});
    if (!isKept) await rm(this.folder, { recursive: true, force: true });
  }
}

function toCoordinator({ urls: [url = ''], adminUrls: [adminUrl = ''], stop }: Cluster): EmbeddedPostgres {
  return { url, adminUrl, stop };
}

function through(url: string, port: number): string {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
