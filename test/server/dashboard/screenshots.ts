/**
 * Pictures of every page for docs/screenshots: `npm run screenshots`. Data is made up, then stored by the
 * real verbs. `npm run screenshots -- --to /tmp/pictures batch` takes those whose names begin with `batch`,
 * into another folder; `--whole` takes long pages to five screens, to be read.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { borrowBrowser, closeBrowser, openWindow } from '../../support/browser.ts';
import { enter, freePort } from '../../support/dashboard.ts';
import { startServer } from '../../support/postgres.ts';
import { TestService } from '../../support/service.ts';
import { serveMails } from '../../support/smtp.ts';
import { type Scene, setScene } from './scene.ts';
import { setWatchScene, type WatchScene } from './scene-monitors.ts';

const { values, positionals } = parseArgs({
  options: {
    whole: { type: 'boolean', default: false },
    to: { type: 'string', default: fileURLToPath(new URL('../../../docs/screenshots', import.meta.url)) },
  },
  allowPositionals: true,
});
const folder = values.to;
const only = positionals.length > 0 ? positionals : [''];

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };

type Step = (page: Page, scene: Scene & { watch: WatchScene }) => Promise<unknown>;

const outside: Record<string, Step> = {
  welcome: (page) => page.goto('/'),
  'sign-up': (page) => page.goto('/sign-up'),
  'sign-in': (page) => page.goto('/sign-in'),
  forgot: (page) => page.goto('/forgot'),
  'forgot-sent': async (page) => {
    await page.goto('/forgot');
    await page.getByLabel('Email').fill('ada@shop.example');
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByText('Look into your mail').waitFor();
  },
  'link-asked': (page) => page.goto('/sign-in/link'),
  invitation: (page, { watch }) => page.goto(watch.invitation),
  reset: (page) => page.goto('/reset?token=none'),
  guide: (page) => page.goto('/docs'),
  bot: (page) => page.goto('/bot'),
};

const guidePages =
  'retries ranks monitors partial cancel pages webhooks client answers limits errors reference changes'.split(
    ' ',
  );
for (const name of guidePages) outside[`guide-${name}`] = (page) => page.goto(`/docs/${name}`);

const inside: Record<string, Step> = {
  check: (page) => page.goto('/'),
  'check-reading': async (page) => {
    await page.goto('/');
    await page.getByLabel('What to check').fill(pasted);
    await page.getByText('invalid, left out').waitFor();
  },
  batches: (page) => page.goto('/batches'),
  'batch-running': (page, { running }) => page.goto(`/batches/${running}`),
  'batch-http': (page, { http }) => page.goto(`/batches/${http}`),
  'batch-soft404': (page, { http }) => page.goto(`/batches/${http}?show=soft404`),
  'batch-index': (page, { index }) => page.goto(`/batches/${index}`),
  'batch-ranks': (page, { ranks }) => page.goto(`/batches/${ranks}`),
  'batch-compare': (page, { ranks }) => page.goto(`/batches/${ranks}/compare`),
  'batch-report': (page, { http }) => page.goto(`/batches/${http}/report`),
  submission: (page, { submission }) => page.goto(`/submissions/${submission}`),
  singles: (page) => page.goto('/batches/singles'),
  address: (page) => page.goto('/address?url=https%3A%2F%2Fshop.example%2Fshoes%2Ftrail-1000'),
  ranks: (page) => page.goto('/ranks'),
  'unknown-page': (page) => page.goto('/nowhere'),
  tokens: (page) => page.goto('/tokens'),
  credits: (page) => page.goto('/credits'),
  webhooks: (page) => page.goto('/webhooks'),
  delivery: (page, { http }) => page.goto(`/webhooks/${http}`),
  settings: (page) => page.goto('/settings'),
};

const watcher: Record<string, Step> = {
  'monitor-news': (page) => page.goto('/'),
  'monitor-list': (page) => page.goto('/monitors'),
  'monitor-http': (page, { watch }) => page.goto(watch.http),
  'monitor-index': (page, { watch }) => page.goto(watch.index),
  'monitor-ranks': (page, { watch }) => page.goto(watch.keyword),
  'monitor-changes': (page, { watch }) => page.goto(`${watch.http}/changes`),
  'monitor-runs': (page, { watch }) => page.goto(`${watch.http}/runs`),
  'monitor-subjects': (page, { watch }) => page.goto(`${watch.keyword}/subjects`),
  'monitor-subject': async (page, { watch }) => {
    await page.goto(`${watch.keyword}/subjects`);
    await page.locator('.rows tbody a').first().click();
    await page.getByText('What was told of it').waitFor();
  },
  'monitor-terms': async (page, { watch }) => {
    await page.goto(watch.keyword);
    for (const one of await page.locator('main details > summary').all()) await one.click();
  },
  'told-list': (page) => page.goto('/webhooks'),
  'told-monitor': (page, { watch }) => page.goto(`/webhooks/${watch.told.monitor}`),
  'told-credits': (page, { watch }) => page.goto(`/webhooks/${watch.told.credits}`),
  'watch-credits': (page) => page.goto('/credits'),
  'watch-tokens': (page) => page.goto('/tokens'),
  'watch-settings': (page) => page.goto('/settings'),
  members: (page) => page.goto('/members'),
  'members-invited': async (page) => {
    await page.goto('/members');
    await page.getByRole('textbox', { name: 'Invite' }).fill('ida@shop.example');
    await page.getByRole('button', { name: 'Send an invitation' }).click();
    await page.locator('.notice').first().waitFor();
  },
  'members-activity': (page) => page.goto('/activity'),
  'second-factor': (page) => page.goto('/settings/second-factor'),
  'second-factor-app': async (page) => {
    await page.goto('/settings/second-factor');
    await page.getByText('Add…').click();
    await page.getByRole('button', { name: 'Add an app' }).click();
    await page.locator('img, svg.qr, [name=code]').first().waitFor();
  },
};

const newcomer: Record<string, Step> = {
  'monitor-none': (page) => page.goto('/monitors'),
  'check-empty': (page) => page.goto('/'),
  'token-created': async (page) => {
    await page.goto('/tokens');
    await page.getByLabel('Token name').fill('Nightly crawl');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('Copy it now').waitFor();
  },
};

const pasted = `https://shop.example/shoes
https://shop.example/shoes/running
https://shop.example/shoes
shop.example/bags
https://shop.example/sale
htp://shop.example/about
https://blog.shop.example/2026/spring`;

async function take(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const stopServer = await startServer();
  const port = await freePort();
  const mails = await serveMails();
  const service = await TestService.start({
    PORT: String(port),
    SMTP_URL: mails.url,
    SIGNUP: 'open',
    SIGNUP_CREDITS: '100',
    SERP_PROVIDERS: 'serpapi',
    SERPAPI_API_KEY: 'none',
  });
  try {
    const scene = { ...(await setScene(service)), watch: await setWatchScene(service) };
    for (const [size, viewport] of Object.entries(sizes)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const open = async (
          enterAs: ((context: BrowserContext) => Promise<void>) | null,
          steps: Record<string, Step>,
        ) => {
          const browser = await borrowBrowser({} as never);
          const { context, page } = await openWindow(browser, service.baseUrl, { viewport, colorScheme });
          if (enterAs) await enterAs(context);
          for (const [name, step] of Object.entries(steps)) {
            if (!only.some((prefix) => name.startsWith(prefix))) continue;
            await step(page, scene);
            const height = await page.evaluate('document.documentElement.scrollHeight');
            const clip = {
              x: 0,
              y: 0,
              width: viewport.width,
              height: Math.min(Number(height), viewport.height * (values.whole ? 5 : 1.5)),
            };
            await page.screenshot({
              path: `${folder}/${name}-${size}-${colorScheme}.png`,
              fullPage: true,
              clip,
            });
          }
          await context.close();
        };
        await open(null, outside);
        await open((context) => enter(context, service, scene.owner), inside);
        await open((context) => enter(context, service, scene.watch.owner), watcher);
        const fresh = await service.account(100);
        await open((context) => enter(context, service, fresh), newcomer);
      }
    }
  } finally {
    await closeBrowser();
    await service.stop();
    await mails.close();
    await stopServer();
  }
}

await take();
