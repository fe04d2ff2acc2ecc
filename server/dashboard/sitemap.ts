import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FetchPage, HttpChecker } from '../../checks/http/checker.ts';
import { FetchError } from '../../net/fetch-error.ts';
import { batchSizeMax } from '../../schemas/text.ts';
import type { DashboardContext } from './context.ts';
import { Refusal } from './refusal.ts';

const unzip = promisify(gunzip);

const deadlineMs = 15_000;
const bytesMax = 3 * 1024 * 1024;
const unzippedBytesMax = 16 * 1024 * 1024;
/** So many sitemaps of an index are read, one after the other. */
const childrenMax = 10;

/**
 * The addresses a sitemap lists (sitemaps.org/protocol.html), at most as many as one batch takes; those of an index are
 * followed one level down. Fetched like any stranger's page. Throws a 422 when nothing comes of it.
 */
export async function readSitemap(
  context: DashboardContext,
  accountId: number,
  address: string,
): Promise<string[]> {
  const { http, allowance, stopping } = context;
  const { problem, url } = http.parse(address);
  if (problem !== undefined) throw refusal(problem);
  await allowance.take(accountId, { sitemaps: 1 });
  const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), stopping]);
  const found = await http
    .visit(url.host, { accountId, signal }, (fetchPage) =>
      readFrom(url.href, (target) => fetchText(target, http, fetchPage)),
    )
    .catch((error) => {
      if (error instanceof FetchError) throw refusal(`The sitemap could not be read (${error.code}).`);
      throw error;
    });
  if (!found) throw refusal('All checkers are busy. Try again in a moment.');
  if (found.length === 0) throw refusal('No addresses were found there: a sitemap lists them in <loc>.');
  return found;
}

async function readFrom(address: string, read: (url: string) => Promise<string>): Promise<string[]> {
  const text = await read(address);
  return /<sitemapindex[\s>]/i.test(text)
    ? readChildren(locations(text, childrenMax), read)
    : locations(text, batchSizeMax);
}

async function readChildren(children: string[], read: (url: string) => Promise<string>): Promise<string[]> {
  const found: string[] = [];
  for (const child of children) {
    const room = batchSizeMax - found.length;
    if (room === 0) break;
    found.push(...locations(await read(child), room));
  }
  return found;
}

async function fetchText(address: string, http: HttpChecker, fetchPage: FetchPage): Promise<string> {
  const { problem, url } = http.parse(address);
  if (problem !== undefined) throw refusal(problem);
  const response = await fetchPage(url.href, performance.now() + deadlineMs);
  const body = await response.readBody(bytesMax);
  if (response.status !== 200) throw refusal(`The sitemap could not be read: status ${response.status}.`);
  const isZipped = body[0] === 0x1f && body[1] === 0x8b;
  if (!isZipped) return body.toString('utf8');
  const text = await unzip(body, { maxOutputLength: unzippedBytesMax }).catch(() => null);
  if (!text) throw refusal('The sitemap could not be unpacked.');
  return text.toString('utf8');
}

/** What stands in the first `<loc>`s: the one element of the format that is of interest, and it holds text only. */
function locations(xml: string, countMax: number): string[] {
  const found: string[] = [];
  for (const [, text = ''] of xml.matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<\]]{1,2100})/gi)) {
    if (found.length === countMax) break;
    if (text.trim() !== '') found.push(decodeEntities(text.trim()));
  }
  return found;
}

const entities: Record<string, string> = { amp: '&', apos: "'", quot: '"', lt: '<', gt: '>' };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(amp|apos|quot|lt|gt);/g, (whole, name: string) => entities[name] ?? whole);
}

function refusal(message: string): Refusal {
  return new Refusal(422, message);
}
