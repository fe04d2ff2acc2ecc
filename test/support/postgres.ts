import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { AsyncFunc, Func } from 'mocha';
import pg from 'pg';
import { type Environment, readDatabaseConfig } from '../../config/config.ts';
import { migrate } from '../../db/migrate.ts';
import { startEmbedded } from '../../local/embedded.ts';
import { asAdmin, joinNodes, toDatabaseUrl } from '../citus/cluster.ts';
import { freePort } from './free-port.ts';
import { silentLog } from './log.ts';
import { scratchFolder } from './scratch.ts';

/** A server on which tests create databases. */
interface Server {
  adminUrl: string;
  stop(): Promise<void>;
}

/** True when the tests run on a Citus cluster. */
export const isCluster = Boolean(process.env.TEST_CITUS_NODES);

/** Declares a test that reads the catalogue, plans or statistics of one server, or changes its schema. */
export function itOnOneServer(title: string, act: Func | AsyncFunc): void {
  (isCluster ? it.skip : it)(title, act);
}

/** Database settings of processes under test, besides the URL. */
export const backendEnv: Environment = isCluster ? { DATABASE_BACKEND: 'citus' } : {};

/** Creates a migrated database, cloned from the run's template. `giveBack` drops it. */
export async function borrowDatabase(): Promise<{ url: string; giveBack(): Promise<void> }> {
  return borrow(async (adminUrl, name) => {
    const clone = String(process.env.SONDE_TEST_CLONE);
    for (const url of listServers(adminUrl)) await cloneDatabase(url, name, clone);
  });
}

/** Creates an empty database: on a cluster, on all its nodes. */
export async function borrowEmptyDatabase(): Promise<{ url: string; giveBack(): Promise<void> }> {
  return borrow(createDatabase);
}

async function borrow(create: (adminUrl: string, name: string) => Promise<void>) {
  const { SONDE_TEST_SERVER: adminUrl } = process.env;
  if (!adminUrl) throw new Error('Tests that need a database run with test/support/hooks.ts');
  const name = `sonde_test_${randomBytes(6).toString('hex')}`;
  await create(adminUrl, name);
  return { url: toDatabaseUrl(adminUrl, name), giveBack: () => dropDatabase(adminUrl, name) };
}

/** Starts a server for the run, with a migrated template that all processes clone. Returns a function that stops it. */
export async function startServer(): Promise<() => Promise<void>> {
  const { adminUrl, stop } = (await given()) ?? (await inContainer()) ?? (await embedded());
  const template = `sonde_template_${randomBytes(4).toString('hex')}`;
  try {
    await makeTemplate(adminUrl, template);
    process.env.SONDE_TEST_CLONE = `${template} ${await findStrategy(adminUrl)}`;
  } catch (error) {
    await stop();
    throw error;
  }
  // Mocha's workers and nested runs read it from the environment.
  process.env.SONDE_TEST_SERVER = adminUrl;
  return async () => {
    await dropDatabase(adminUrl, template);
    await stop();
  };
}

async function makeTemplate(adminUrl: string, template: string): Promise<void> {
  await createDatabase(adminUrl, template);
  const url = toDatabaseUrl(adminUrl, template);
  await migrate(readDatabaseConfig({ DATABASE_URL: url, ...backendEnv }), silentLog);
  if (isCluster) await closeTemplate(template, listServers(adminUrl));
}

/** Returns all servers that hold a part of each database. */
function listServers(adminUrl: string): string[] {
  return [adminUrl, ...(process.env.TEST_CITUS_NODES ?? '').split(',').filter(Boolean)];
}

async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const servers = listServers(adminUrl);
  for (const server of servers) await asAdmin(server, [`create database ${name}`]);
  if (isCluster) await joinNodes(servers.map((server) => toDatabaseUrl(server, name)));
}

/** Forbids connections to a template: one with connections cannot be cloned. */
async function closeTemplate(template: string, servers: string[]): Promise<void> {
  for (const url of servers) await asAdmin(url, [`alter database ${template} allow_connections false`]);
}

/** `clone`: the template's name, and the strategy to copy its files. */
async function cloneDatabase(adminUrl: string, name: string, clone: string): Promise<void> {
  const [template] = clone.split(' ');
  // Citus keeps a connection to each of its databases, and reconnects.
  const leave = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`;
  if (isCluster) await administer(adminUrl, leave);
  await administer(adminUrl, `create database ${name} template ${clone}`);
}

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const drop = `drop database if exists ${name} with (force)`;
  if (!isCluster) {
    await administer(adminUrl, drop);
    return;
  }
  // A connection of Citus may return again and again. The database then stays until the cluster stops.
  for (const url of listServers(adminUrl)) {
    await asAdmin(url, [`set statement_timeout = '5s'`, drop]).catch(() => {});
  }
}

/** Returns the strategy to copy whole files, which takes a twentieth of the time. New in Postgres 15. */
async function findStrategy(adminUrl: string): Promise<string> {
  const [row] = await asAdmin(adminUrl, [`select current_setting('server_version_num')::integer as version`]);
  return row?.version >= 150_000 ? 'strategy file_copy' : '';
}

async function given(): Promise<Server | null> {
  const adminUrl = process.env.TEST_DATABASE_URL;
  return adminUrl ? { adminUrl, stop: async () => {} } : null;
}

/** An image of Postgres; empty for no container. */
const image = process.env.TEST_POSTGRES_IMAGE ?? 'postgres:18-alpine';
/** Long enough to pull the image over a slow connection. */
const containerMs = 180_000;

/** Starts a container, when a container runtime answers. A docker client alone does not prove one. */
async function inContainer(): Promise<Server | null> {
  if (image === '') return null;
  const { getContainerRuntimeClient } = await import('testcontainers');
  const hasRuntime = await getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
  if (!hasRuntime) return null;
  const starting = startContainer();
  try {
    return await inTime(starting, containerMs);
  } catch (error) {
    // Stops the container if it starts too late.
    starting.then(({ stop }) => stop()).catch(() => {});
    const reason = error instanceof Error ? error.message : error;
    console.warn(
      `A container runtime answers but does not start ${image}, so Postgres is embedded: ${reason}`,
    );
    return null;
  }
}

async function startContainer(): Promise<Server> {
  const { Wait } = await import('testcontainers');
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  // The image's own health check never turns healthy under podman without systemd.
  const container = await new PostgreSqlContainer(image).withWaitStrategy(Wait.forListeningPorts()).start();
  return { adminUrl: container.getConnectionUri(), stop: async () => void (await container.stop()) };
}

function inTime<T>(result: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`nothing after ${milliseconds / 1000} s`)),
    milliseconds,
  );
  return Promise.race([result, late.promise]).finally(() => clearTimeout(timer));
}

async function embedded(): Promise<Server> {
  const folder = await scratchFolder('sonde-test-');
  const server = await startEmbedded(folder, { isThrowaway: true, port: await freePort() });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { adminUrl: server.adminUrl, stop };
}

/** The one superuser connection of this process to each server. */
const pools = new Map<string, pg.Pool>();

/** Runs one statement as superuser, on a connection that is kept for the next. It does not keep the process alive. */
async function administer(url: string, statement: string): Promise<void> {
  const pool = pools.get(url) ?? poolAt(url);
  pools.set(url, pool);
  await pool.query(statement);
}

function poolAt(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: 10_000,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // A connection that is cut fails no statement: the next one opens another.
  return pool.on('error', () => {});
}
