/**
 * Takes screenshots with simulated answers. `npm run screenshots` updates the screenshots of README.md. With a folder,
 * it writes every page there, light and dark, for a phone and a desktop. A word after the folder selects the pages
 * whose names contain the word.
 */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { uncountedAllowance } from '../../../accounts/allowance.ts';
import { recordBatchOutcomes } from '../../../batches/record.ts';
import { changeProfile } from '../../../db/accounts/accounts.ts';
import * as batches from '../../../db/batches/batches.ts';
import * as chunks from '../../../db/batches/chunks.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import type { ItemResult } from '../../../db/tables.ts';
import type { AnswerOf } from '../../../schemas/check-types.ts';
import type { TestAccount } from '../../support/accounts.ts';
import { httpAnswer, indexAnswer, rankAnswer } from '../../support/answers.ts';
import { borrowBrowser, closeBrowser, openWindow } from '../../support/browser.ts';
import { enter } from '../../support/dashboard.ts';
import { monitored, summaryOf } from '../../support/monitored.ts';
import { startServer } from '../../support/postgres.ts';
import { TestService } from '../../support/service.ts';
import { trackSite } from '../../support/tracked-site.ts';

const [folder, wanted = ''] = process.argv.slice(2);
const viewport = { width: 1280, height: 800 };
const readmeFolder = fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));

const pasted = `https://shop.example/shoes
https://shop.example/shoes/running
https://shop.example/shoes
shop.example/bags
https://shop.example/sale
htp://shop.example/about
https://blog.shop.example/2026/spring`;

type Show = (page: Page) => Promise<unknown>;
const at =
  (path: string): Show =>
  (page) =>
    page.goto(path);

const showPasted: Show = async (page) => {
  await page.goto('/');
  await page.getByLabel('What to check').fill(pasted);
  await page.getByText('invalid, skipped').waitFor();
};

const showRankForm: Show = async (page) => {
  await page.goto('/?check=ranks');
  await page.getByLabel('What to check').fill('running shoes\ntrail shoes\nrain jacket');
  await page.getByLabel('Site or page').first().fill('shop.example');
  await page.getByText('3 keywords').first().waitFor();
};

const showQuestion: Show = async (page) => {
  await page.goto('/');
  const table = 'old,new\nhttps://a.example/1,https://b.example/1\nhttps://a.example/2,https://b.example/2\n';
  const file = { name: 'redirects.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
  await page.locator('#file').setInputFiles(file);
  await page.locator('.ask').waitFor();
};

const stopServer = await startServer();
// With a provider, the pages have no notice about simulated answers.
const service = await TestService.start({
  ...{ SERP_PROVIDERS: 'serpapi', SERPAPI_API_KEY: 'none', SIGNUP: 'open' },
  OPERATOR_CONTACT: 'help@sonde.example',
});
try {
  const owner = await service.account(10_000);
  const earlier = await checked(
    owner,
    '/http-status/bulk',
    { urls: urls(640), reference: 'September crawl' },
    1,
  );
  const done = await checked(owner, '/http-status/bulk', { urls: urls(1840), reference: 'October crawl' }, 1);
  await sql`update batches set created_at = created_at - interval '5 minutes'`.execute(service.db);
  await checked(owner, '/http-status/bulk', { urls: urls(1200), reference: 'November crawl' }, 0.42);
  if (folder === undefined) {
    await take(readmeFolder, owner, { viewport }, [
      ['check-reading-desk-light', showPasted],
      ['batch-http-desk-light', at(`/batches/${done}`)],
    ]);
  } else {
    const pages = Object.entries(await fill(owner, done, earlier)).filter(([name]) => name.includes(wanted));
    for (const colorScheme of ['light', 'dark'] as const) {
      const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
      for (const [device, window] of [
        ['desk', { viewport: { width: 1440, height: 900 } }],
        ['phone', phone],
      ] as const)
        await take(
          folder,
          owner,
          { ...window, colorScheme },
          pages.map(([name, show]) => [`${name}-${device}-${colorScheme}`, show]),
        );
    }
  }
} finally {
  await closeBrowser();
  await service.stop();
  await stopServer();
}

async function take(
  into: string,
  owner: TestAccount,
  options: BrowserContextOptions & { viewport: { width: number; height: number } },
  pictures: Array<[name: string, show: Show]>,
): Promise<void> {
  const { width, height } = options.viewport;
  const clip = { x: 0, y: 0, width, height: height * (folder === undefined ? 1.5 : 2.5) };
  const browser = await borrowBrowser({} as never);
  const [member, stranger] = [
    await openWindow(browser, service.baseUrl, options),
    await openWindow(browser, service.baseUrl, options),
  ];
  await enter(member.context, service, owner);
  for (const [name, show] of pictures) {
    const { page } = name.startsWith('visitor') ? stranger : member;
    await show(page);
    await page.screenshot({ path: `${into}/${name}.png`, fullPage: true, clip });
  }
  await member.context.close();
  await stranger.context.close();
}

/** Fills the account with everything that pages show. Returns the pages by name. */
async function fill(owner: TestAccount, done: string, earlier: string): Promise<Record<string, Show>> {
  const { accountId, token } = owner;
  const profile = { name: 'Acme Shoes', timezone: 'Europe/Berlin' };
  await inTransaction(service.db, (trx) => changeProfile(trx, accountId, profile));
  const ranks = await trackSite(service, accountId, { keywords: 60, competitors: 6, days: 90 });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 60_000);
  const pages = urls(12).map((url) => ({ url }));
  const http = await monitored(service, accountId, 'http', pages);
  const index = await monitored(service, accountId, 'index', pages);
  for (let day = 30; day >= 0; day -= 1) {
    const statuses = pages.map((_, place) =>
      day < 9 && place === 3 ? 404 : day % 11 === 4 && place === 5 ? 0 : 200,
    );
    await http.run(
      daysAgo(day),
      statuses.map((status) => httpAnswer({ status })),
    );
    await index.run(
      daysAgo(day),
      pages.map((_, place) => indexAnswer(place * 3 < 36 - day)),
    );
  }
  await inTransaction(service.db, async (trx) => {
    // These runs name no charge, and their batches have ended. Triggers would refuse both.
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`
      insert into monitor_runs (account_id, monitor_id, run_id, batch_id, batch_ids, entry_no, kind, status, checked,
        failed, subjects, credits_charged, started_at, finished_at, created_at)
      select batches.account_id, batches.monitor_id, batches.run_id, batch_id, array[batch_id],
        row_number() over (), 'check', batches.status, successful, failed, total, total, at, at + interval '40 s', at
      from batches join run_tallies using (account_id, run_id)`.execute(trx);
    await sql`
      update batches set created_at = at, started_at = at, completed_at = at + interval '40 s'
      from run_tallies where run_tallies.run_id = batches.run_id`.execute(trx);
  });
  const [keyword] = await listBatches(ranks.monitorId);
  const [httpRun] = await listBatches(http.monitorId);
  const queries = ['running shoes', 'trail shoes', 'rain jacket', 'wool socks'].map((keyword) => ({
    ...{ keyword, url: 'shop.example', competitors: ['rival.example'], end_page: 2 },
    include: ['results', 'features', 'ai_overview'],
  }));
  const overviews = await checked(owner, '/keyword-track', { queries, reference: 'Overviews' }, 1);
  const { requestId } = await service.db
    .selectFrom('items')
    .select('requestId')
    .where('batchId', '=', overviews)
    .orderBy('requestId')
    .executeTakeFirstOrThrow();
  const indexed = await checked(
    owner,
    '/check/bulk',
    { urls: urls(220), reference: 'Index', webhook_url: 'https://hooks.shop.example/sonde' },
    1,
  );
  await service.call('/http-status', { token, body: { url: `${service.baseUrl}/sign-in` } });
  await service.call('/http-status', { token, body: { url: `${service.baseUrl}/nothing` } });
  const submission = randomUUID();
  for (const part of [1, 2])
    await checked(
      owner,
      '/http-status/bulk',
      { urls: urls(300 * part), submission_id: submission },
      1 / part,
    );
  const poor = `/monitors/${http.monitorId}`;
  const address = encodeURIComponent(pages[3]?.url ?? '');
  return {
    'visitor-welcome': at('/'),
    'visitor-sign-in': at('/sign-in'),
    'visitor-sign-up': at('/sign-up'),
    'visitor-forgot': at('/forgot'),
    home: at('/'),
    'home-pasted': showPasted,
    'home-ranks': showRankForm,
    'home-question': showQuestion,
    batches: at('/batches'),
    'batches-singles': at('/batches/singles'),
    'batches-tests': at('/batches?kind=test'),
    'batch-http': at(`/batches/${done}`),
    'batch-index': at(`/batches/${indexed}`),
    'batch-keyword': at(`/batches/${keyword}`),
    'batch-overviews': at(`/batches/${overviews}`),
    'rank-check': at(`/checks/${requestId}`),
    'batch-compare': at(`/batches/${done}/compare?with=${earlier}`),
    'batch-report': at(`/batches/${done}/report`),
    submission: at(`/submissions/${submission}`),
    monitors: at('/monitors'),
    'monitor-http': at(poor),
    'monitor-index': at(`/monitors/${index.monitorId}`),
    'monitor-keyword': at(`/monitors/${ranks.monitorId}`),
    'monitor-changes': at(`${poor}/changes`),
    'monitor-runs': at(`${poor}/runs`),
    'monitor-subjects': at(`${poor}/subjects`),
    'monitor-subjects-keyword': at(`/monitors/${ranks.monitorId}/subjects`),
    'monitor-subject': at(`${poor}/subjects/${http.subjects[3]?.subjectId}`),
    'monitor-compare': at(`${poor}/compare`),
    'monitor-compare-keyword': at(`/monitors/${ranks.monitorId}/compare`),
    'monitor-list': at(`/?monitor=${http.monitorId}`),
    'batch-run': at(`/batches/${httpRun}`),
    ranks: at('/ranks'),
    'ranks-site': at('/ranks/shop.example?days=90'),
    'ranks-site-tag': at('/ranks/shop.example?days=90&tag=tag+1&metric=visibility'),
    'ranks-keyword': at(`/monitors/${ranks.monitorId}/subjects/${ranks.subjects[0]?.subjectId}`),
    'ranks-checks': at('/ranks/checks'),
    address: at(`/address?url=${address}`),
    tokens: at('/tokens'),
    credits: at('/credits'),
    webhooks: at('/webhooks'),
    delivery: at(`/webhooks/${indexed}`),
    members: at('/members'),
    activity: at('/activity'),
    settings: at('/settings'),
    'second-factor': at('/settings/second-factor'),
    'error-404': at('/batches/nothing'),
    guide: at('/docs'),
    'guide-monitors': at('/docs/monitors'),
  };
}

async function listBatches(monitorId: string): Promise<string[]> {
  const rows = service.db.selectFrom('batches').select('batchId').where('monitorId', '=', monitorId);
  return (await rows.orderBy('createdAt', 'desc').limit(2).execute()).map(({ batchId }) => batchId);
}

/** Submits a batch and records answers for a share of it, as a worker does. Returns its id. */
async function checked(
  { accountId, token }: TestAccount,
  path: string,
  body: object,
  share: number,
): Promise<string> {
  const { batch_id: batchId } = (await service.call(path, { token, body })).body;
  const [boss, ref] = [await service.boss(), { accountId, batchId }];
  await batches.start(service.db, ref);
  await inTransaction(service.db, async (trx) => {
    const open = await chunks.listUnsettled(trx, (await batches.find(trx, ref)) as batches.BatchRow);
    const recorded = open
      .slice(0, Math.ceil(open.length * share))
      .map(({ request_id: requestId, chunkId, position, input }) => ({
        ...{ requestId, chunkId, position, input },
        result: createResult(path, input, position ?? 0),
      }));
    await recordBatchOutcomes(trx, { boss, allowance: uncountedAllowance }, ref, recorded);
  });
  return batchId;
}

function createResult(path: string, input: object, position: number): ItemResult {
  if (position % 211 === 7) return { error: 'checker_unreachable' };
  const url = String((input as { url?: string }).url);
  if (path === '/check/bulk') {
    const outcome = indexAnswer(position % 7 !== 3, url);
    return { outcome, tally: Object.keys(summaryOf('index', [outcome])) };
  }
  if (path === '/keyword-track') return createRank(position);
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

/** A rank check with a results page. Every second has an AI Overview, which cites the target. */
function createRank(position: number): ItemResult {
  const sites = ['guide.example', 'shop.example', 'rival.example', 'magazine.example', 'forum.example'];
  const results = Array.from({ length: 20 }, (_, place) => ({
    position: place + 1,
    url: `https://${place === 3 ? 'shop.example' : `www.${sites[place % 5]?.replace('shop', 'store')}`}/running-shoes/${place + 1}`,
    title: `Running shoes for every surface: number ${place + 1} of a long list of tested pairs`,
    page: place < 10 ? 1 : 2,
  }));
  const sources = sites.map((source, place) => ({
    ...{ position: place + 1, source, url: `https://${source}/running-shoes` },
    title: `How to choose running shoes, by ${source}`,
  }));
  const isShown = position % 2 === 0;
  const text =
    'Running shoes differ in cushioning, drop and grip. For roads, choose a soft sole and a drop of 8 to 12 mm.\n\n' +
    'For trails, choose a firm sole with deep lugs. Replace a pair after 600 to 800 kilometres.';
  const cited = { cited: true, cited_url: sources[1]?.url ?? null, citation: 2 };
  const outcome: AnswerOf<'keyword'> = {
    ...rankAnswer(4, { pages: 2, results: 20, landing: 'https://shop.example/running-shoes/4' }),
    competitors: [{ url: 'rival.example', rank: 3, ranked_url: results[2]?.url ?? null }],
    features: [
      { type: 'people_also_ask', position: 3, owned: null, urls: [] },
      { type: 'images', position: 6, owned: true, urls: ['https://shop.example/'] },
    ],
    ai_overview: isShown
      ? { state: 'shown', ...cited }
      : { state: 'not_shown', cited: null, cited_url: null, citation: null },
  };
  const tally = Object.keys(summaryOf('keyword', [outcome]));
  return { outcome, tally, results, ...(isShown ? { overview: { sources, text } } : {}) };
}

function urls(count: number): string[] {
  const sections = ['shoes', 'bags', 'sale', 'blog', 'help'];
  const words = ['trail', 'leather', 'classic', 'summer', 'light', 'city', 'winter', 'red'];
  return Array.from({ length: count }, (_, number) => {
    const [section, word] = [sections[number % 5], words[(number * 7) % 8]];
    return `https://shop.example/${section}/${word}-${1000 + number}`;
  });
}
