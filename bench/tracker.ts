import { get } from 'node:http';
import { sql } from 'kysely';
import { signedIn } from '../test/support/dashboard.ts';
import { trackSite } from '../test/support/tracked-site.ts';
import { type Figure, median, spread } from './figures.ts';
import { processorSeconds, serverSeconds } from './processor.ts';
import type { Stack } from './stack.ts';

const size = { keywords: 300, competitors: 10, days: 90 };
const rounds = 30;
const limits = { ms: 300, kilobytes: 200 };

/**
 * Measures the pages of a tracked site. Its ranks and the ranks of its competitors change every day. CPU time is the
 * time of web and Postgres.
 */
export async function benchTracker({
  connection,
  baseUrl,
  webPid,
  createCustomer,
}: Stack): Promise<Figure[]> {
  const customer = await createCustomer(0);
  const { db } = connection;
  const monitor = await trackSite({ db }, customer.accountId, size);
  const cookie = `sonde_session=${await signedIn({ db } as never, customer as never)}`;
  const keyword = `/monitors/${monitor.monitorId}/subjects/${monitor.subjects[0]?.subjectId}`;
  const pages = {
    'list of sites': '/ranks',
    'tracked site': `/ranks/shop.example?days=${size.days}`,
    'tracked site, one tag': `/ranks/shop.example?days=${size.days}&tag=tag+1&metric=visibility`,
    keyword,
  };
  const readCpuSeconds = async () => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    return (await serverSeconds(rows[0]?.pid ?? 0)) + (await processorSeconds(webPid));
  };
  const figures: Figure[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const loads = [];
    const before = await readCpuSeconds();
    for (let round = 0; round < rounds; round++) loads.push(await load(baseUrl + path, cookie));
    const cpuMs = ((await readCpuSeconds()) - before) * (1000 / rounds);
    const times = loads.slice(5).map(({ ms }) => ms);
    const kilobytes = median(loads.map(({ bytes }) => bytes)) / 1000;
    figures.push({
      what: `page: ${name}`,
      value: `${spread(times)}, ${Math.round(cpuMs)} ms of CPU, ${kilobytes.toFixed(0)} KB`,
      bar: `≤ ${limits.ms} ms, ≤ ${limits.kilobytes} KB`,
      isMet: median(times) <= limits.ms && kilobytes <= limits.kilobytes,
    });
  }
  return figures;
}

/** Loads a page, compressed, until its last byte. */
function load(url: string, cookie: string): Promise<{ ms: number; bytes: number }> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { headers: { Cookie: cookie, 'Accept-Encoding': 'gzip, br' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once('end', () => resolve({ ms: performance.now() - startedMs, bytes }));
    }).once('error', reject);
  });
}
