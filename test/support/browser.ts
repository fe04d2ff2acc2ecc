import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterTest } from './after-test.ts';

const places = [
  process.env.CHROMIUM_PATH ?? '',
  // This build has no window and starts half as many processes.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = places.find((place) => place !== '' && existsSync(place));

let launching: Promise<Browser> | null = null;

/** Returns one Chromium for each process of a run. Skips the test when none is installed. */
export async function borrowBrowser(test: Context): Promise<Browser> {
  if (!executablePath) {
    test.currentTest?.parent && console.log('      skipped: Chromium was not found. Set CHROMIUM_PATH.');
    test.skip();
  }
  launching ??= launch();
  return launching;
}

/** Loads the driver late: it takes 0.2 s in each process of a run, and few files need it. */
async function launch(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export async function closeBrowser(): Promise<void> {
  const launched = launching;
  launching = null;
  await (await launched)?.close();
}

/**
 * Opens a window, until the end of the test. `complaints` has its script errors, blocked contents and failed requests.
 */
export async function openWindow(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 900 }, ...options });
  afterTest(() => context.close());
  context.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page aborts its polls.
    if (!reason.includes('ERR_ABORTED')) complaints.push(`${request.url()}: ${reason}`);
  });
  return { context, page: await context.newPage(), complaints };
}
