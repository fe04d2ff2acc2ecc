import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAllowance } from '../accounts/allowance.ts';
import { createEngines } from '../checks/engines.ts';
import { createPageThread } from '../checks/page/page-thread.ts';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { deadlines } from '../config/deadlines.ts';
import { createRequestIds } from '../db/batches/request-ids.ts';
import { connect } from '../db/postgres/connect.ts';
import { ProviderLeases } from '../db/providers/provider-leases.ts';
import { createBoss, startBoss } from '../db/queue/queue.ts';
import type { PassFailPoint } from '../process/fail-point.ts';
import { FairLimit } from '../process/fair-limit.ts';
import { createLog, type Log } from '../process/log.ts';
import { exitOnOperatorError, type Stoppable, stopInTime, stopOnSignals } from '../process/process.ts';
import { createSecretBox } from '../process/secret-box.ts';
import { startChores } from '../upkeep/chores.ts';
import { checkKey } from '../upkeep/secret-rotation.ts';
import { createApp } from './app.ts';
import type { Context } from './context.ts';
import { handleInOrder, limitConnection } from './http/connections.ts';
import { createMetrics } from './http/metrics.ts';

// pg-boss uses one connection of DATABASE_POOL_MAX, for its queue cache. Jobs are enqueued in our own transactions.
const bossConnections = 1;

/** An export holds a page of results in memory. A client that does not read loses its slot after a minute. */
const exportSlots = { total: 128, perAccount: 4, reserved: 32 };

export interface WebProcess extends Stoppable {
  port: number;
}

export async function startWeb(
  config: Config,
  log: Log,
  failPoint: PassFailPoint = () => {},
): Promise<WebProcess> {
  const secretBox = createSecretBox(config.secretKey, config.previousSecretKey);
  const { url, backend, poolMax } = config.database;
  const onError = (error: Error) => log.warn('Database connection lost', { error });
  const connections = poolMax - bossConnections;
  // Limit for one kind of work, so that it leaves connections to other work.
  const halfOfConnections = Math.max(1, Math.floor(connections / 2));
  const { db, encryption, close } = connect(url, connections, onError, { isService: true });
  const pages = createPageThread(shortPageBytes);
  const gate = new ProviderLeases(db, config.providers);
  const engines = createEngines(config, { gate, runPageTask: pages.run });
  const boss = createBoss({ url, backend, max: bossConnections, role: 'web' });
  boss.on('error', onError);
  await startBoss(boss);
  await checkKey(db, secretBox, log).catch((error) => log.warn('SECRET_KEY could not be checked', { error }));

  const closing = new AbortController();
  const stopping = new AbortController();
  const context: Context = {
    config,
    log,
    db,
    boss,
    secretBox,
    mail: config.mail.mode,
    requestIds: createRequestIds(db),
    ...engines,
    metrics: createMetrics(),
    allowance: createAllowance(db, { isOff: config.web.rateLimitPerMinute === 0 }),
    exports: new FairLimit(exportSlots),
    exportPages: new FairLimit({ total: halfOfConnections, perAccount: 1 }),
    longQueries: new FairLimit({ total: halfOfConnections, perAccount: 1 }),
    // Writes of one account may wait for each other's locks. Half of the slots are therefore reserved for accounts
    // without a slot.
    acceptanceLimit: new FairLimit({ total: halfOfConnections, reserved: Math.floor(halfOfConnections / 2) }),
    closing: closing.signal,
    stopping: stopping.signal,
    failPoint,
  };
  const { retention, web } = config;
  const chores = startChores({ ...context, retention, baseUrl: web.baseUrl });
  const app = createApp(context);
  const server = createServer(serverOptions, (req, res) => {
    if (!limitConnection(req, res)) return;
    if (closing.signal.aborted) res.setHeader('Connection', 'close');
    handleInOrder(req, res, () => app(req, res));
  });
  server.on('clientError', answerUnreadable);
  const port = await listen(server, config.web);
  log.info('The API is listening', { port, baseUrl: config.web.baseUrl, encryption });

  return {
    port,
    stop: async () => {
      closing.abort();
      const halt = setTimeout(() => stopping.abort(), deadlines.haltMs);
      await stopInTime(log, [
        ['requests', () => closeServer(server).finally(() => clearTimeout(halt))],
        ['chores', () => chores.stop()],
        ['queue', () => boss.stop({ graceful: false })],
        ['page thread', () => pages.close()],
        ['document thread', () => engines.documents.close()],
        ['provider leases', () => gate.close()],
        ['connections', close],
      ]);
      log.info('The API has stopped');
    },
  };
}

// Shorter pages are read on the main thread. Reading a page of this size takes a millisecond, and its transfer to the
// page thread and back takes as long.
const shortPageBytes = 8 * 1024;

const serverOptions = {
  // Limits the buffered bytes of an unread body to 64 KiB. With the default, these would be 128 KiB.
  highWaterMark: 16 * 1024,
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  // Longer than the timeout of load balancers. They must not send a request on a connection that we are closing.
  keepAliveTimeout: 75_000,
};

function listen(server: Server, { host, port }: Config['web']): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      if (error.code === 'EADDRNOTAVAIL')
        reject(
          new ConfigError('HOST', `is ${host}, which is not an IP address of this machine`, '127.0.0.1'),
        );
      else reject(isTaken ? new ConfigError('PORT', `is ${port}, which is not available`, '3001') : error);
    });
    server.listen({ port, host: host ?? undefined }, () => resolve((server.address() as AddressInfo).port));
  });
}

const closeIdleEveryMs = 250;

/**
 * Accepts no new connections and waits for requests in flight. Closes idle connections repeatedly, because a connection
 * becomes idle when its response ends.
 */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
    // Node does not count a connection as idle before its first request. Such a connection would never be closed.
    const closeAll = setTimeout(() => server.closeAllConnections(), deadlines.cutMs);
    server.close(() => {
      clearInterval(closeIdle);
      clearTimeout(closeAll);
      resolve();
    });
    server.closeIdleConnections();
  });
}

const unreadable: Record<string, [status: string, code: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers_too_large',
    'The headers are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'request_timeout',
    'The request took too long to arrive.',
  ],
};

function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const fallback = ['400 Bad Request', 'bad_request', 'This request is not valid HTTP.'] as const;
  const [status, code, message] = unreadable[error.code ?? ''] ?? fallback;
  const body = JSON.stringify({ success: false, message, error: code });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

if (import.meta.main) {
  await exitOnOperatorError(async () => {
    const config = readConfig(process.env);
    const log = createLog(config.log);
    stopOnSignals(await startWeb(config, log), log);
  });
}
