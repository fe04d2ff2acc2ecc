import { createEngines } from '../checks/engines.ts';
import { type Config, readConfig } from '../config.ts';
import { connect } from '../db/connect.ts';
import { ProviderLeases } from '../db/provider-leases.ts';
import {
  type ChunkPayload,
  chunkQueues,
  createBoss,
  type DeliveryPayload,
  deliveryQueue,
} from '../db/queue.ts';
import { deadlines } from '../deadlines.ts';
import type { PassFailPoint } from '../fail-point.ts';
import { createLog, type Log } from '../log.ts';
import { exitOnConfigError, type Running, stopOnSignals } from '../process.ts';
import { createSecretBox } from '../secret-box.ts';
import { startChores } from '../upkeep/chores.ts';
import { checkKey } from '../upkeep/keys.ts';
import { reportsTo } from '../upkeep/reports.ts';
import type { WorkerContext } from './context.ts';
import { checkChunk } from './jobs/check-chunk.ts';
import { deliverWebhook } from './jobs/deliver-webhook.ts';

// Of DATABASE_POOL_MAX: pg-boss's own pool and LISTEN; the rest records outcomes.
const bossConnections = 3;
const listenConnections = 1;

const chunksHeldMax = 20;
/** Of those, one account's: more than its check slots need, and room for whoever comes next. */
const chunksHeldPerAccount = 5;
const deliveriesHeldMax = 20;
/** To one receiver at a time, so that one that hangs leaves room for the others. */
const deliveriesPerHostMax = 4;

/** Starts a worker: it takes chunks and deliveries off the queues until it is stopped. */
export async function startWorker(
  config: Config,
  log: Log,
  failPoint: PassFailPoint = () => {},
): Promise<Running> {
  const box = createSecretBox(config.secretKey, config.previousSecretKey);
  const { url, directUrl, backend, poolMax } = config.database;
  const onError = (error: Error) => log.warn('The database interrupted us', { error });
  const ours = connect(url, poolMax - bossConnections - listenConnections, onError, { isService: true });
  const engines = createEngines(config, { gate: new ProviderLeases(ours.db, config.providers) });
  const boss = createBoss({ url: directUrl, backend, max: bossConnections, role: 'worker' });
  boss.on('error', onError);
  boss.on('warning', (warning) => log.warn('The queue warns', { warning }));
  await boss.start();
  await checkKey(ours.db, box, log).catch((error) => log.warn('SECRET_KEY could not be checked', { error }));

  const stopping = new AbortController();
  const halting = new AbortController();
  const context: WorkerContext = {
    config,
    log,
    db: ours.db,
    boss,
    box,
    ...engines,
    stopping: stopping.signal,
    halting: halting.signal,
    failPoint,
  };
  const chores = startChores(ours.db, boss, {
    retention: config.retention,
    box,
    reports: reportsTo(log),
  });
  await takeChunks(context);
  await takeDeliveries(context);
  log.info('The worker is taking jobs', { encryption: ours.encryption });

  return {
    stop: async () => {
      stopping.abort();
      const halt = setTimeout(() => halting.abort(), deadlines.haltMs);
      await chores.stop();
      await boss.stop({ graceful: true, timeout: deadlines.cutMs });
      clearTimeout(halt);
      await ours.close();
      log.info('The worker has stopped');
    },
  };
}

const chunkWork = {
  includeMetadata: true,
  batchSize: 1,
  localConcurrency: chunksHeldMax,
  localGroupConcurrency: chunksHeldPerAccount,
  pollingIntervalSeconds: 1,
  // A retry does not notify, so polling decides how soon a dead worker's chunks run again.
  notifyPollingIntervalSeconds: 1,
} as const;

async function takeChunks(context: WorkerContext): Promise<void> {
  const { boss } = context;
  for (const queue of chunkQueues) {
    await boss.work<ChunkPayload, void, typeof chunkWork>(queue, chunkWork, async ([job]) => {
      if (job) await checkChunk(context, job);
      // pg-boss would wait for the rest of its polling interval; whoever is busy fetches again when it is
      // done.
      for (const { id, name, count } of boss.getWipData()) {
        if (name === queue && count > 0) boss.notifyWorker(id);
      }
    });
  }
}

async function takeDeliveries(context: WorkerContext): Promise<void> {
  const options = {
    includeMetadata: true,
    batchSize: 1,
    pollingIntervalSeconds: 1,
    notifyPollingIntervalSeconds: 1,
    localConcurrency: deliveriesHeldMax,
    localGroupConcurrency: deliveriesPerHostMax,
  } as const;
  await context.boss.work<DeliveryPayload, void, typeof options>(deliveryQueue, options, async ([job]) => {
    if (job) await deliverWebhook(context, job);
  });
}

if (import.meta.main) {
  await exitOnConfigError(async () => {
    const config = readConfig(process.env);
    const log = createLog(config.log);
    stopOnSignals(await startWorker(config, log), log);
  });
}
