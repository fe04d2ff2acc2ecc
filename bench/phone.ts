/**
 * Measures bytes and time to interactive on a slow phone: `npm run bench:phone`. Chromium runs with an empty cache, a
 * quarter of this CPU, 1.6 Mbit/s and 150 ms of latency, like slow 4G in Lighthouse. Exits with 1 above a limit.
 */
import { borrowBrowser, closeBrowser, openWindow } from '../test/support/browser.ts';
import { enter } from '../test/support/dashboard.ts';
import { startServer } from '../test/support/postgres.ts';
import { TestService } from '../test/support/service.ts';

const rounds = 5;
const pages = [
  { name: 'first screen, signed in', path: '/', kilobytesMax: 150, msMax: 2500 },
  { name: 'guide, quick start', path: '/docs', kilobytesMax: 250, msMax: 4000 },
  { name: 'guide, reference', path: '/docs/reference', kilobytesMax: 250, msMax: 4000 },
];

const stopServer = await startServer();
const service = await TestService.start();
const account = await service.account(100);
try {
  for (const { name, path, kilobytesMax, msMax } of pages) {
    const seen = [];
    for (let round = 0; round < rounds; round++) seen.push(await visit(path));
    const ms = seen.map((one) => one.ms).sort((a, b) => a - b);
    const kilobytes = Math.max(...seen.map((one) => one.bytes)) / 1000;
    const median = ms[Math.floor(rounds / 2)] ?? Number.POSITIVE_INFINITY;
    const isMet = kilobytes <= kilobytesMax && median <= msMax;
    if (!isMet) process.exitCode = 1;
    const spread = `${Math.round(ms[0] ?? 0)}–${Math.round(ms.at(-1) ?? 0)}`;
    const figures = `${kilobytes.toFixed(1)} KB (at most ${kilobytesMax}), ${Math.round(median)} ms (${spread}; at most ${msMax})`;
    console.log(`${isMet ? '✔' : '✘'} ${name}: ${figures}`);
  }
} finally {
  await closeBrowser();
  await service.stop();
  await stopServer();
}

/** Visits a page with an empty cache. Returns the bytes received and the time until its scripts have run. */
async function visit(path: string): Promise<{ bytes: number; ms: number }> {
  const browser = await borrowBrowser({} as never);
  const { context, page } = await openWindow(browser, service.baseUrl, {
    viewport: { width: 390, height: 844 },
  });
  await enter(context, service, account);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1000 * 1000) / 8,
    uploadThroughput: (750 * 1000) / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(path, { waitUntil: 'load' });
  // Scripts are deferred, so all controls work after this event.
  const ms = await page.evaluate<number>(
    "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd",
  );
  await context.close();
  return { bytes, ms };
}
