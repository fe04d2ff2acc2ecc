/**
 * Pictures of every page for docs/screenshots: `npm run screenshots`. Data is made up, then stored by the
 * real verbs. `npm run screenshots -- --to /tmp/pictures batch` takes those whose names begin with `batch`,
 * into another folder.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { borrowBrowser, closeBrowser, openWindow } from '../../support/browser.ts';
import { enter, freePort } from '../../support/dashboard.ts';
import { startServer } from '../../support/postgres.ts';
import { TestService } from '../../support/service.ts';
import { type Scene, setScene } from './scene.ts';

const { values, positionals } = parseArgs({
  options: {
    to: { type: 'string', default: fileURLToPath(new URL('../../../docs/screenshots', import.meta.url)) },
  },
  allowPositionals: true,
});
const folder = values.to;
const only = positionals[0] ?? '';

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };

type Step = (page: Page, scene: Scene) => Promise<unknown>;

const outside: Record<string, Step> = {
  welcome: (page) => page.goto('/'),
  'sign-up': (page) => page.goto('/sign-up'),
  'sign-in': (page) => page.goto('/sign-in'),
  guide: (page) => page.goto('/docs'),
  'guide-reference': (page) => page.goto('/docs/reference'),
  'guide-errors': (page) => page.goto('/docs/errors'),
  bot: (page) => page.goto('/bot'),
};

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
  ranks: (page) => page.goto('/ranks'),
  'guide-ranks': (page) => page.goto('/docs/ranks'),
  'guide-webhooks': (page) => page.goto('/docs/webhooks'),
  'unknown-page': (page) => page.goto('/nowhere'),
  tokens: (page) => page.goto('/tokens'),
  credits: (page) => page.goto('/credits'),
  webhooks: (page) => page.goto('/webhooks'),
  delivery: (page, { http }) => page.goto(`/webhooks/${http}`),
  settings: (page) => page.goto('/settings'),
};

const newcomer: Record<string, Step> = {
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
  const service = await TestService.start({
    PORT: String(port),
    SIGNUP: 'open',
    SIGNUP_CREDITS: '100',
    SERP_PROVIDERS: 'serpapi',
    SERPAPI_API_KEY: 'none',
  });
  try {
    const scene = await setScene(service);
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
            if (!name.startsWith(only)) continue;
            await step(page, scene);
            const height = await page.evaluate('document.documentElement.scrollHeight');
            const clip = {
              x: 0,
              y: 0,
              width: viewport.width,
              height: Math.min(Number(height), viewport.height * 1.5),
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
        const fresh = await service.account(100);
        await open((context) => enter(context, service, fresh), newcomer);
      }
    }
  } finally {
    await closeBrowser();
    await service.stop();
    await stopServer();
  }
}

await take();
