/**
 * Takes screenshots of the dashboard. `npm run screenshots` renews those that README.md shows;
 * `npm run screenshots -- --to FOLDER` takes every page in both sizes and colors, `batch` after it only those whose
 * names start with `batch`. `--whole` includes up to five screens of a long page.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { borrowBrowser, closeBrowser, openWindow } from '../../support/browser.ts';
import { enter } from '../../support/dashboard.ts';
import { freePort } from '../../support/free-port.ts';
import { startServer } from '../../support/postgres.ts';
import { TestService } from '../../support/service.ts';
import { serveMails } from '../../support/smtp.ts';
import { careful, inside, newcomer, outside, type Pictured, type Step, viewer, watcher } from './pictured.ts';
import { setScene } from './scene.ts';
import { setDoors } from './scene-doors.ts';
import { setLarge, setWatchScene } from './scene-monitors.ts';

const { values, positionals } = parseArgs({
  options: {
    whole: { type: 'boolean', default: false },
    to: { type: 'string' },
  },
  allowPositionals: true,
});
const shownInReadme = ['check-reading-desk-light', 'batch-http-desk-light'];
const folder = values.to ?? fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));
const wanted = (file: string) =>
  values.to === undefined
    ? shownInReadme.includes(file)
    : positionals.length === 0 || positionals.some((prefix) => file.startsWith(prefix));

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };

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
    const set = await setScene(service);
    const watch = await setWatchScene(service);
    const shared = { accountId: set.owner.accountId, batchId: set.http };
    const doors = await setDoors(service, watch.owner, shared);
    const scene: Pictured = { ...set, service, watch, doors, large: await setLarge(service, watch.owner) };
    const asSession = (value: string) => (context: BrowserContext) =>
      context.addCookies([{ name: 'sonde_session', value, url: service.baseUrl }]);
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
            if (!wanted(`${name}-${size}-${colorScheme}`)) continue;
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
            await page.emulateMedia({ media: 'screen' });
          }
          await context.close();
        };
        await open(null, outside);
        await open((context) => enter(context, service, scene.owner), inside);
        await open((context) => enter(context, service, scene.watch.owner), watcher);
        await open(asSession(doors.careful), careful);
        await open(asSession(doors.viewer), viewer);
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
