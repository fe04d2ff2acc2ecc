import { getPriority, setPriority } from 'node:os';
import { createAllowance } from '../accounts/allowance.ts';
import { BatchEndWatcher } from '../batches/end-watcher.ts';
import { createEngines } from '../checks/engines.ts';
import { createPageThread } from '../checks/page/page-thread.ts';
import { type Config, readConfig } from '../config/config.ts';
import { deadlines } from '../config/deadlines.ts';
import { createRequestIds } from '../db/batches/request-ids.ts';
import { connect } from '../db/postgres/connect.ts';
import { ProviderLeases } from '../db/providers/provider-leases.ts';
import {
  type ChunkPayload,
  chunkQueues,
  createBoss,
  type DeliveryPayload,
  deliveryQueue,
  listenForJobs,
  type MailPayload,
  mailQueue,
  type RunPayload,
  runQueue,
  startBoss,
} from '../db/queue/queue.ts';
import { createAhead } from '../db/retention/partitions.ts';
import { attemptMail } from '../mail/attempt.ts';
import { createMailer } from '../mail/mailer.ts';
import type { Mailer } from '../mail/smtp.ts';
import { createLinkTokens } from '../mail/tokens.ts';
import type { PassFailPoint } from '../process/fail-point.ts';
import { FairLimit } from '../process/fair-limit.ts';
import { createLog, type Log } from '../process/log.ts';
import { exitOnOperatorError, type Stoppable, stopInTime, stopOnSignals } from '../process/process.ts';
import { createSecretBox } from '../process/secret-box.ts';
import { startChores } from '../upkeep/chores.ts';
import { checkKey } from '../upkeep/secret-rotation.ts';
import type { WorkerContext } from './context.ts';
import { JobFetcher } from './job-fetcher.ts';
import { advanceRun, runSlots } from './jobs/advance-run.ts';
import { checkChunk } from './jobs/check-chunk.ts';
import {
  deliveriesPerHost,
  deliverWebhook,
  deliverySlots,
  postponeDelivery,
} from './jobs/deliver-webhook.ts';

// Some of the DATABASE_POOL_MAX connections are for pg-boss's own pool and for LISTEN. The others record outcomes.
const bossConnections = 3;
const listenConnections = 1;

/**
 * Slots for the chunks of one queue. The last 340 slots are for accounts without a slot. At least 340 accounts can
 * therefore start at once.
 */
const chunkSlots = { total: 400, perAccount: 5, reserved: 340 };

/** Slots for mails. An account with many mails must leave slots for other accounts. */
const mailSlots = { total: 8, perAccount: 4, reserved: 4 };

/**
 * Maximum size of a page that is read on the event loop. Most pages are shorter. Sending a short page to the thread
 * costs as much CPU time as reading the page.
 */
const shortPageBytes = 64 * 1024;

export async function startWorker(
  config: Config,
  log: Log,
  failPoint: PassFailPoint = () => {},
): Promise<Stoppable> {
  const secretBox = createSecretBox(config.secretKey, config.previousSecretKey);
  const mailer = createMailer(config.mail.smtp, config.mail.mode === 'terminal');
  const { url, directUrl, backend, poolMax } = config.database;
  const onError = (error: Error) => log.warn('Database connection lost', { error });
  const connections = poolMax - bossConnections - listenConnections;
  const { db, encryption, close } = connect(url, connections, onError, { isService: true });
  const gate = new ProviderLeases(db, config.providers);
  const pages = createPageThread(shortPageBytes);
  const engines = createEngines(config, { gate, runPageTask: pages.run });
  const boss = createBoss({ url: directUrl, backend, max: bossConnections, role: 'worker' });
  boss.on('error', onError);
  boss.on('warning', (warning) => log.warn('pg-boss warning', { warning }));
  await startBoss(boss);
  await checkKey(db, secretBox, log).catch((error) => log.warn('SECRET_KEY could not be checked', { error }));

  // The partitions for the first outcomes may be missing if no process ran for a long time. Later, a chore creates
  // partitions.
  await createAhead(db, config.retention).catch((error) =>
    log.warn('Partitions could not be created', { error }),
  );

  const stopping = new AbortController();
  const halting = new AbortController();
  const context: WorkerContext = {
    config,
    log,
    db,
    boss,
    secretBox,
    mail: config.mail.mode,
    allowance: createAllowance(db, { isOff: config.web.rateLimitPerMinute === 0 }),
    requestIds: createRequestIds(db),
    batchEndWatcher: new BatchEndWatcher(db),
    ...engines,
    stopping: stopping.signal,
    halting: halting.signal,
    failPoint,
  };
  const { retention, web } = config;
  const chores = startChores({ ...context, retention, baseUrl: web.baseUrl }, { isWorker: true });
  const fetchers = createFetchers(context, mailer);
  const stopListening = await listenForJobs(db, boss, (queue) => {
    for (const fetcher of fetchers) if (queue === null || queue === fetcher.queue) fetcher.wake();
  });
  for (const fetcher of fetchers) fetcher.start();
  log.info('The worker is taking jobs', { encryption });

  return {
    stop: async () => {
      stopping.abort();
      const halt = setTimeout(() => halting.abort(), deadlines.haltMs);
      const stopWork = () =>
        Promise.all([
          chores.stop(),
          stopListening(),
          ...fetchers.map((fetcher) => fetcher.stop(deadlines.cutMs)),
        ]);
      await stopInTime(log, [
        ['jobs and chores', stopWork],
        ['pg-boss', () => boss.stop({ graceful: true, timeout: deadlines.cutMs })],
        ['the page thread', () => pages.close()],
        ['the document thread', () => engines.documents.close()],
        ['provider leases', () => gate.close()],
        ['connections', close],
      ]);
      clearTimeout(halt);
      log.info('The worker has stopped');
    },
  };
}

function createFetchers(context: WorkerContext, mailer: Mailer | null) {
  const { boss, log } = context;
  const chunkFetchers = chunkQueues.map(
    (queue) =>
      new JobFetcher<ChunkPayload>({
        boss,
        log,
        queue,
        slots: new FairLimit(chunkSlots),
        run: (job) => checkChunk(context, job),
      }),
  );
  const deliveryFetcher = new JobFetcher<DeliveryPayload>({
    boss,
    log,
    queue: deliveryQueue,
    slots: new FairLimit(deliverySlots),
    run: (job) => deliverWebhook(context, job),
    groups: { limit: deliveriesPerHost, postpone: (job) => postponeDelivery(context, job) },
  });
  const runFetcher = new JobFetcher<RunPayload>({
    boss,
    log,
    queue: runQueue,
    slots: new FairLimit(runSlots),
    run: (job) => advanceRun(context, job),
  });
  const fetchers = [...chunkFetchers, deliveryFetcher, runFetcher];
  // Without a mailer, this worker leaves mails to other workers.
  return mailer ? [...fetchers, createMailFetcher(context, mailer)] : fetchers;
}

function createMailFetcher(context: WorkerContext, mailer: Mailer): JobFetcher<MailPayload> {
  const { boss, log, db, config, failPoint } = context;
  const tokens = createLinkTokens(config.secretKey, config.previousSecretKey);
  const { baseUrl } = config.web;
  const deps = { db, boss, tokens, baseUrl, domain: config.mail.domain, mailer, failPoint };
  return new JobFetcher<MailPayload>({
    boss,
    log,
    queue: mailQueue,
    slots: new FairLimit(mailSlots),
    run: (job) => attemptMail(deps, job.data.mail_id, job.id),
  });
}

/** Lowers the worker's CPU priority. Users wait for the web process, which may run on the same machine. */
const nice = 5;

if (import.meta.main) {
  await exitOnOperatorError(async () => {
    setPriority(Math.min(19, getPriority() + nice));
    const config = readConfig(process.env);
    const log = createLog(config.log);
    stopOnSignals(await startWorker(config, log), log);
  });
}
