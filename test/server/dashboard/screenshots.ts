/** Updates the screenshots of README.md, with simulated answers: `npm run screenshots [folder]`. */
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { uncountedAllowance } from '../../../accounts/allowance.ts';
import { recordBatchOutcomes } from '../../../batches/record.ts';
import * as batches from '../../../db/batches/batches.ts';
import * as chunks from '../../../db/batches/chunks.ts';
import type * as items from '../../../db/batches/items.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import type { TestAccount } from '../../support/accounts.ts';
import { httpAnswer } from '../../support/answers.ts';
import { borrowBrowser, closeBrowser, openWindow } from '../../support/browser.ts';
import { enter } from '../../support/dashboard.ts';
import { summaryOf } from '../../support/monitored.ts';
import { startServer } from '../../support/postgres.ts';
import { TestService } from '../../support/service.ts';

const folder = process.argv[2] ?? fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));
const viewport = { width: 1280, height: 800 };
const clip = { x: 0, y: 0, width: viewport.width, height: viewport.height * 1.5 };

const pasted = `https://shop.example/shoes
https://shop.example/shoes/running
https://shop.example/shoes
shop.example/bags
https://shop.example/sale
htp://shop.example/about
https://blog.shop.example/2026/spring`;

const pictures: Record<string, (page: Page, batchId: string) => Promise<unknown>> = {
  'check-reading-desk-light': async (page) => {
    await page.goto('/');
    await page.getByLabel('What to check').fill(pasted);
    await page.getByText('invalid, skipped').waitFor();
  },
  'batch-http-desk-light': (page, batchId) => page.goto(`/batches/${batchId}`),
};

const stopServer = await startServer();
// With a provider, the pages have no notice about simulated answers.
const service = await TestService.start({ SERP_PROVIDERS: 'serpapi', SERPAPI_API_KEY: 'none' });
try {
  const owner = await service.account(10_000);
  await checked(owner, { urls: urls(640), reference: 'September crawl' }, 1);
  const done = await checked(owner, { urls: urls(1840), reference: 'October crawl' }, 1);
  await sql`update batches set created_at = created_at - interval '5 minutes'`.execute(service.db);
  await checked(owner, { urls: urls(1200), reference: 'November crawl' }, 0.42);
  const { context, page } = await openWindow(await borrowBrowser({} as never), service.baseUrl, { viewport });
  await enter(context, service, owner);
  for (const [name, show] of Object.entries(pictures)) {
    await show(page, done);
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true, clip });
  }
  await context.close();
} finally {
  await closeBrowser();
  await service.stop();
  await stopServer();
}

/** Submits a batch and records answers for a share of it, as a worker does. Returns its id. */
async function checked({ accountId, token }: TestAccount, body: object, share: number): Promise<string> {
  const { batch_id: batchId } = (await service.call('/http-status/bulk', { token, body })).body;
  const [boss, ref] = [await service.boss(), { accountId, batchId }];
  await batches.start(service.db, ref);
  await inTransaction(service.db, async (trx) => {
    const open = await chunks.listUnsettled(trx, (await batches.find(trx, ref)) as batches.BatchRow);
    const recorded = open
      .slice(0, Math.ceil(open.length * share))
      .map(({ request_id: requestId, chunkId, position, input }) => ({
        ...{ requestId, chunkId, position, input },
        result: createResult(String((input as { url: string }).url), position ?? 0),
      }));
    await recordBatchOutcomes(trx, { boss, allowance: uncountedAllowance }, ref, recorded);
  });
  return batchId;
}

function createResult(url: string, position: number): items.ItemResult {
  if (position % 211 === 7) return { error: 'checker_unreachable' };
  const kind = position % 23;
  const status = { 4: 404, 13: 404, 9: 500, 19: position % 2 ? 0 : 200 }[kind] ?? 200;
  const isSoft = [6, 17].includes(kind);
  const moved = {
    ...{ initial_status: 301, redirect_count: 2, final_url: `https://www.shop.example/new/${position}` },
    redirects: [
      { url, status: 301 },
      { url: `${url}/`, status: 302 },
    ],
  };
  const outcome = httpAnswer({
    ...{ status, is_soft404: isSoft, final_url: url, response_time_ms: 60 + ((position * 37) % 420) },
    soft404_reasons: isSoft ? ['title_not_found', 'heading_unavailable', 'short_text'] : [],
    error: status === 0 ? 'connect_timeout' : null,
    title: null,
    ...([3, 11].includes(kind) ? moved : {}),
  });
  return { outcome, tally: Object.keys(summaryOf('http', [outcome])) };
}

function urls(count: number): string[] {
  const sections = ['shoes', 'bags', 'sale', 'blog', 'help'];
  const words = ['trail', 'leather', 'classic', 'summer', 'light', 'city', 'winter', 'red'];
  return Array.from({ length: count }, (_, number) => {
    const [section, word] = [sections[number % 5], words[(number * 7) % 8]];
    return `https://shop.example/${section}/${word}-${1000 + number}`;
  });
}
