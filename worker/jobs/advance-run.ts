import type { JobWithMetadata } from 'pg-boss';
import { readAddresses } from '../../checks/sitemap/addresses.ts';
import { SitemapError } from '../../checks/sitemap/reader.ts';
import type { RunPayload } from '../../db/queue/queue.ts';
import { advance } from '../../monitors/advance.ts';
import type { WorkerContext } from '../context.ts';

/** One account's ten sitemaps leave room for everybody's runs that have ended. */
export const runPlaces = { limit: 20, perAccount: 4, forNewcomers: 10 };

/** Goes on with the run that a job is for. Throwing is how it asks for another try. */
export async function advanceRun(context: WorkerContext, job: JobWithMetadata<RunPayload>): Promise<void> {
  const { http, documents, halting: signal, config } = context;
  const readSitemap = (accountId: number, address: string) =>
    readAddresses(address, { http, documents, accountId, signal }).catch((error) => {
      if (error instanceof SitemapError) return null;
      throw error;
    });
  const starter = { ...context, baseUrl: config.web.baseUrl, readSitemap };
  await advance(starter, { accountId: job.data.account_id, runId: job.data.run_id });
}
