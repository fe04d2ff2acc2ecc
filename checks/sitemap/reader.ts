import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { deadlines } from '../../deadlines.ts';
import { FetchError } from '../../net/fetch-error.ts';
import type { FetchPage, HttpChecker } from '../http/checker.ts';
import { isIndex, locations, type Pace, sitemapsIn } from './sitemap-text.ts';

const unzip = promisify(gunzip);

const bytesMax = 10 * 1024 * 1024;
const unzippedBytesMax = 16 * 1024 * 1024;
// With the sitemap that is read last the box still takes it.
const charactersMax = 4 * 1024 * 1024;
/** So many sitemaps are read at once, one after the other. */
const sitemapsMax = 20;
const leftShownMax = 200;

/** Where sites have them that name none in their robots.txt. */
const usualPaths = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.xml.gz'];

/** The pages that sitemaps list, and what of them was not read, in words and by address. */
export interface SitemapReading {
  addresses: string[];
  left: Array<{ address: string; why: string }>;
  /** Whether one of them could not be read, or not in time, so that what it lists is missing. */
  isFaulty: boolean;
}

/** Nothing came of a sitemap, and why, as a sentence for whoever named it. */
export class SitemapError extends Error {}

export interface SitemapErrand {
  http: HttpChecker;
  accountId: number;
  /** Aborted when the process ends. */
  signal: AbortSignal;
  pace: Pace;
  /** How many addresses are read at most. */
  countMax: number;
}

/**
 * The addresses a sitemap lists, and those of an index; of a site, when a domain is all there is, by its robots.txt or
 * where sites usually have it. Fetched like any stranger's page. Errors: SitemapError when nothing comes of it.
 */
export async function readSitemap(address: string, errand: SitemapErrand): Promise<SitemapReading> {
  const { http, accountId } = errand;
  const { problem, url } = http.parse(address);
  if (problem !== undefined) throw refusal(problem);
  const signal = AbortSignal.any([AbortSignal.timeout(deadlines.sitemapMs), errand.signal]);
  const found = await http
    .visit(url.host, { accountId, signal }, (fetchPage) => {
      const reader = new Reader(errand, fetchPage);
      return url.pathname === '/' && url.search === '' ? reader.ofSite(url.origin) : reader.read([url.href]);
    })
    .catch((error) => {
      if (error instanceof FetchError) throw refusal(`The sitemap could not be read (${error.code}).`);
      throw error;
    });
  if (!found) throw refusal('All checkers are busy. Try again in a moment.');
  const [only] = found.left;
  if (found.addresses.length === 0) {
    throw refusal(only ? only.why : 'No addresses were found there: a sitemap lists them in <loc>.');
  }
  return found;
}

/** One reading, within one deadline. */
class Reader {
  readonly #endsAtMs = performance.now() + deadlines.sitemapMs;
  readonly #errand: SitemapErrand;
  readonly #fetchPage: FetchPage;
  #characters = 0;

  constructor(errand: SitemapErrand, fetchPage: FetchPage) {
    this.#errand = errand;
    this.#fetchPage = fetchPage;
  }

  async ofSite(origin: string): Promise<SitemapReading> {
    const named = sitemapsIn(await this.#text(`${origin}/robots.txt`).catch(ifUnreadable));
    if (named.length > 0) return this.read([...new Set(named)]);
    for (const path of usualPaths) {
      const found = await this.read([`${origin}${path}`]);
      if (found.addresses.length > 0) return found;
    }
    const message =
      'No sitemap was found: robots.txt names none, and none is at /sitemap.xml. Name its address.';
    throw refusal(message);
  }

  /** Sitemaps one after the other, those of an index at its place; what is not read is noted. */
  async read(addresses: string[]): Promise<SitemapReading> {
    const found: SitemapReading = { addresses: [], left: [], isFaulty: false };
    const queue = [...addresses];
    const known = new Set(queue);
    let readSoFar = 0;
    for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
      const isLate = performance.now() > this.#endsAtMs;
      if (isLate || readSoFar === sitemapsMax || this.#room(found) === 0) {
        found.isFaulty ||= isLate;
        leave(found, address, 'Not read yet.');
        continue;
      }
      readSoFar += 1;
      const children = await this.#readOne(found, address);
      queue.unshift(...children.filter((child) => known.size < known.add(child).size));
    }
    return found;
  }

  /** Adds what a sitemap lists, or answers the sitemaps that an index does. */
  async #readOne(found: SitemapReading, address: string): Promise<string[]> {
    const text = await this.#text(address).catch((error) => {
      leave(found, address, messageOf(error));
      found.isFaulty = true;
      return null;
    });
    if (text === null) return [];
    const listed = await locations(text, this.#errand.countMax + 1, this.#errand.pace);
    if (isIndex(text)) return listed;
    const taken = listed.slice(0, this.#room(found));
    for (const one of taken) {
      found.addresses.push(one);
      this.#characters += one.length + 1;
    }
    if (taken.length < listed.length) {
      leave(found, address, `Only its first ${taken.length.toLocaleString('en')} addresses fit.`);
    }
    return [];
  }

  /** How many addresses still fit; none once the box is full of what has been read. */
  #room({ addresses }: SitemapReading): number {
    return this.#characters > charactersMax ? 0 : this.#errand.countMax - addresses.length;
  }

  async #text(address: string): Promise<string> {
    const { problem, url } = this.#errand.http.parse(address);
    if (problem !== undefined) throw refusal(problem);
    const response = await this.#fetchPage(url.href, this.#endsAtMs);
    const body = await response.readBody(bytesMax);
    if (response.status !== 200) throw refusal(`The sitemap could not be read: status ${response.status}.`);
    const isZipped = body[0] === 0x1f && body[1] === 0x8b;
    if (!isZipped && body.length >= bytesMax) throw refusal('This sitemap is larger than 10 MB.');
    if (!isZipped) return body.toString('utf8');
    const text = await unzip(body, { maxOutputLength: unzippedBytesMax }).catch(() => null);
    if (!text) throw refusal('The sitemap could not be unpacked.');
    return text.toString('utf8');
  }
}

function leave({ left }: SitemapReading, address: string, why: string): void {
  if (left.length < leftShownMax) left.push({ address, why });
}

function ifUnreadable(error: unknown): string {
  messageOf(error);
  return '';
}

/** Why one of several could not be read; what is no fault of it is thrown again. */
function messageOf(error: unknown): string {
  if (error instanceof FetchError) return `The sitemap could not be read (${error.code}).`;
  if (error instanceof SitemapError) return error.message;
  throw error;
}

function refusal(message: string): SitemapError {
  return new SitemapError(message);
}
