import type { JobWithMetadata } from 'pg-boss';
import { readSitemapUrls, SitemapError } from '../../checks/sitemap/reader.ts';
import type { RunPayload } from '../../db/queue/queue.ts';
import { advance } from '../../monitors/run.ts';
import type { WorkerContext } from '../context.ts';

/** Slots for runs. An account that reads many sitemaps must leave slots for other accounts. */
export const runSlots = { total: 20, perAccount: 4, reserved: 10 };

/** Advances a monitor's run by one step. If this throws, the job is retried. */
export async function advanceRun(context: WorkerContext, job: JobWithMetadata<RunPayload>): Promise<void> {
  const { http, documents, halting: signal, config } = context;
  const readSitemap = (accountId: number, address: string) =>
    readSitemapUrls(address, { http, documents, accountId, signal }).catch((error) => {
      if (error instanceof SitemapError) return null;
      throw error;
    });
  const deps = { ...context, baseUrl: config.web.baseUrl, readSitemap };
  await advance(deps, { accountId: job.data.account_id, runId: job.data.run_id });
}
