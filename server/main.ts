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
import { exitOnConfigError, type Running, stopInTime, stopOnSignals } from '../process/process.ts';
import { createSecretBox } from '../process/secret-box.ts';
import { startChores } from '../upkeep/chores.ts';
import { checkKey } from '../upkeep/keys.ts';
import { reportsTo } from '../upkeep/reports.ts';
import { createApp } from './app.ts';
import type { Context } from './context.ts';
import { boundConnection, handleInTurn } from './http/connections.ts';
import { createMetrics } from './http/metrics.ts';

// Of DATABASE_POOL_MAX: pg-boss needs one to learn of queues; enqueueing is done on our transactions.
const bossConnections = 1;

/** An export holds a page of results in memory. A reader who stops reading keeps its slot for a minute. */
const exportSlots = { total: 128, perAccount: 4, reserved: 32 };

export interface RunningWeb extends Running {
  port: number;
}

/** Starts a web process: it answers the API until it is stopped. */
export async function startWeb(
  config: Config,
  log: Log,
  failPoint: PassFailPoint = () => {},
): Promise<RunningWeb> {
  const box = createSecretBox(config.secretKey, config.previousSecretKey);
  const { url, backend, poolMax } = config.database;
  const onError = (error: Error) => log.warn('Database connection lost', { error });
  const connections = poolMax - bossConnections;
  const halfOfConnections = Math.max(1, Math.floor(connections / 2));
  const { db, encryption, close } = connect(url, connections, onError, { isService: true });
  const pages = createPageThread();
  const gate = new ProviderLeases(db, config.providers);
  const engines = createEngines(config, { gate, runPageTask: pages.run });
  const boss = createBoss({ url, backend, max: bossConnections, role: 'web' });
  boss.on('error', onError);
  await startBoss(boss);
  await checkKey(db, box, log).catch((error) => log.warn('SECRET_KEY could not be checked', { error }));

  const closing = new AbortController();
  const stopping = new AbortController();
  const context: Context = {
    config,
    log,
    db,
    boss,
    box,
    mail: config.mail.mode,
    requestIds: createRequestIds(db),
    ...engines,
    metrics: createMetrics(),
    allowance: createAllowance(db, { isOff: config.web.rateLimitPerMinute === 0 }),
    exports: new FairLimit(exportSlots),
    exportPages: new FairLimit({ total: halfOfConnections, perAccount: 1 }),
    longQueries: new FairLimit({ total: halfOfConnections, perAccount: 1 }),
    acceptance: new FairLimit({ total: halfOfConnections }),
    closing: closing.signal,
    stopping: stopping.signal,
    failPoint,
  };
  const { mail, requestIds, allowance } = context;
  const { baseUrl } = config.web;
  const chores = startChores(db, boss, {
    retention: config.retention,
    box,
    reports: reportsTo(log),
    monitors: { mail, requestIds, allowance, baseUrl },
    alerts: { mail, allowance, baseUrl },
  });
  const app = createApp(context);
  const server = createServer(serverOptions, (req, res) => {
    if (!boundConnection(req, res)) return;
    if (closing.signal.aborted) res.setHeader('Connection', 'close');
    handleInTurn(req, res, () => app(req, res));
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
        ['the queue', () => boss.stop({ graceful: false })],
        ['the thread for pages', () => pages.close()],
        ['the thread for documents', () => engines.documents.close()],
        ['what providers were asked', () => gate.close()],
        ['connections', close],
      ]);
      log.info('The API has stopped');
    },
  };
}

const serverOptions = {
  // Of a body that nobody reads yet, or ever, one piece waits and not two: each is 64 KiB.
  highWaterMark: 16 * 1024,
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  // Longer than a router's, so that it never sends a request into a connection that we are closing.
  keepAliveTimeout: 75_000,
};

function listen(server: Server, { host, port }: Config['web']): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      if (error.code === 'EADDRNOTAVAIL')
        reject(new ConfigError('HOST', `is ${host}, which is no address of this machine`, '127.0.0.1'));
      else reject(isTaken ? new ConfigError('PORT', `is ${port}, which is not free`, '3001') : error);
    });
    server.listen({ port, host: host ?? undefined }, () => resolve((server.address() as AddressInfo).port));
  });
}

const idleLookMs = 250;

/**
 * Takes no new connection, lets requests in flight end, and closes what is idle: also a connection whose
 * answer had its headers before the end was known, which would be kept alive for longer than we have.
 */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const look = setInterval(() => server.closeIdleConnections(), idleLookMs);
    // To Node a connection that never sent a request is not idle, and it would be waited for without end.
    const cut = setTimeout(() => server.closeAllConnections(), deadlines.cutMs);
    server.close(() => {
      clearInterval(look);
      clearTimeout(cut);
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

/** What never became a request gets a JSON answer too. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const fallback = ['400 Bad Request', 'bad_request', 'This request cannot be read.'] as const;
  const [status, code, message] = unreadable[error.code ?? ''] ?? fallback;
  const body = JSON.stringify({ success: false, message, error: code });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

if (import.meta.main) {
  await exitOnConfigError(async () => {
    const config = readConfig(process.env);
    const log = createLog(config.log);
    stopOnSignals(await startWeb(config, log), log);
  });
}
