import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { sql } from 'kysely';
import { version } from '../../config/config.ts';
import { canDecrypt } from '../../db/accounts/secret-rotation.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { measureDueMonitors } from '../../db/monitors/due-monitors.ts';
import { clock } from '../../db/postgres/clock.ts';
import { sumByProvider } from '../../db/providers/provider-usage.ts';
import { countWork } from '../../db/queue/job-windows.ts';
import { ApiError } from '../../process/api-error.ts';
import { openApiDocument } from '../../schemas/openapi.ts';
import { findLedgerState } from '../../upkeep/ledger-verification.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { lazily } from '../http/lazily.ts';

/**
 * Time for which the result of `/readyz` is reused. Anybody can call this endpoint often, because it needs no token.
 */
const readyForMs = 1000;

export function operationRoutes({ db, boss, secretBox, config, metrics }: Context) {
  const text = lazily(() => JSON.stringify(openApiDocument({ baseUrl: config.web.baseUrl, version })));
  const document: RequestHandler = (_req, res) => {
    // Tools and pages of other origins may read the document.
    res.set('Access-Control-Allow-Origin', '*').type('application/json').send(text());
  };

  const health: RequestHandler = (_req, res) => {
    res.json({ success: true, status: 'alive' });
  };

  let shared: Promise<void> | null = null;
  const isReady = () => {
    shared ??= checkReady().finally(() => setTimeout(() => (shared = null), readyForMs).unref());
    return shared;
  };

  async function checkReady(): Promise<void> {
    await sql`select 1`.execute(db);
    const pending = await pendingMigrations(db);
    if (pending.length > 0)
      throw notReady(`Migrations are missing: ${pending.join(', ')}. Run npm run migrate.`);
    if (!(await boss.isInstalled())) throw notReady('The pg-boss schema is missing. Run npm run migrate.');
    if ((await canDecrypt(db, secretBox)) === false)
      throw notReady('SECRET_KEY cannot decrypt this database. Set SECRET_KEY_PREVIOUS to the previous key.');
  }

  const readiness: RequestHandler = async (_req, res) => {
    await isReady();
    res.json({ success: true, status: 'ready' });
  };

  const exposition: RequestHandler = async (req, res) => {
    if (!isOperator(req, config.web.metricsToken)) throw notFound('This path does not exist.');
    // These numbers come from the database. Each process therefore reports the totals of all processes.
    metrics.providerPages.reset();
    metrics.providerAnswers.reset();
    for (const { provider, pages, answers } of await sumByProvider(db)) {
      metrics.providerPages.inc({ provider }, pages);
      metrics.providerAnswers.inc({ provider }, answers);
    }
    metrics.jobs.reset();
    for (const { queue, state, jobs } of await countWork(db)) metrics.jobs.set({ queue, state }, jobs);
    const { due, latestSeconds, withinMinute } = await measureDueMonitors(db, await clock(db));
    metrics.monitorsDue.set({ when: 'now' }, due);
    metrics.monitorsDue.set({ when: 'within_minute' }, withinMinute);
    metrics.monitorsLateness.set(latestSeconds);
    const ledger = await findLedgerState(db);
    metrics.isLedgerSound.set(ledger ? Number(ledger.ok) : Number.NaN);
    metrics.ledgerVerifiedAt.set((ledger?.verifiedAt.getTime() ?? 0) / 1000);
    metrics.ledgerPassBeganAt.set((ledger?.allVerifiedAt?.getTime() ?? 0) / 1000);
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  };

  return { document, health, readiness, metrics: exposition };
}

function notReady(message: string): ApiError {
  return new ApiError('not_ready', message, { retryAfterSeconds: 5 });
}

function isOperator(req: Request, token: string | null): boolean {
  if (token === null) return false;
  const expected = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(req.get('authorization') ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
