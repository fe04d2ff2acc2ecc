import { setImmediate as nextTurn } from 'node:timers/promises';
import { deadlines } from '../../config/deadlines.ts';
import {
  type SitemapDocument,
  sitemapBytesMax,
  sitemapEntriesMax,
  unpackedBytesMax,
} from '../../lists/sitemap-document.ts';
import { walkSitemaps } from '../../lists/sitemaps.ts';
import { FetchError, type FetchErrorCode } from '../../net/fetch-error.ts';
import { httpErrorWords } from '../../schemas/http-status.ts';
import type { FetchPage, HttpChecker } from '../http/checker.ts';
import type { DocumentThreads } from './document-thread.ts';

// Maximum length of all URLs together. The list must fit into the dashboard's form, which accepts 8 MiB.
const charactersMax = 7 * 1024 * 1024;
/** Maximum of sitemaps and indexes that one call fetches. */
const sitemapsMax = 20;
/** Maximum of unread sitemaps that are reported. */
const unreadMax = 200;
const headersBytes = 64 * 1024;
/** Maximum size of robots.txt. RFC 9309 requires at least 500 KiB, which is Google's limit. */
const robotsBytesMax = 1024 * 1024;

const usualPaths = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.xml.gz'];

/** The URLs in sitemaps, and the sitemaps that were not read completely. */
export interface SitemapReading {
  addresses: string[];
  unread: Array<{ address: string; why: string }>;
  /** True if URLs are missing because of a fault or the deadline. False if only a limit was reached. */
  isFaulty: boolean;
}

/** Error if no URLs could be read. The message is for the user. */
export class SitemapError extends Error {}

export interface SitemapRequest {
  http: HttpChecker;
  documents: DocumentThreads;
  accountId: number;
  /** Aborted when the process ends. */
  signal: AbortSignal;
  /** Maximum number of URLs. */
  countMax: number;
}

/**
 * Reads the URLs of a sitemap, or of the sitemaps of an index. If the address is the root of a site, reads the sitemaps
 * that its robots.txt names. If robots.txt names no sitemap, tries the usual paths. Throws SitemapError if there are no
 * URLs.
 */
export async function readSitemap(address: string, request: SitemapRequest): Promise<SitemapReading> {
  const { http, accountId } = request;
  const { problem, url } = http.parse(address);
  if (problem !== undefined) throw new SitemapError(problem);
  const signal = AbortSignal.any([AbortSignal.timeout(deadlines.sitemapMs), request.signal]);
  const bytesMax = sitemapBytesMax + headersBytes;
  const reading = await http
    .withHostSlot(url.host, { accountId, signal, bytesMax }, async (fetchPage) => {
      const reader = new Reader({ ...request, signal }, fetchPage);
      const isSite = url.pathname === '/' && url.search === '';
      await (isSite ? reader.readSite(url.origin) : reader.read([url.href]));
      return reader.reading;
    })
    .catch((error) => {
      throw error instanceof FetchError ? new SitemapError(toMessage(error)) : error;
    });
  if (!reading) throw new SitemapError('The service is busy. Try again in a few seconds.');
  if (reading.addresses.length > 0) return reading;
  const [first] = reading.unread;
  throw new SitemapError(first ? first.why : 'The sitemap contains no URLs in <loc> elements.');
}

const addressesPerTurn = 50;

/**
 * Returns the URLs of a sitemap that can be checked, without duplicates. Returns more URLs than a monitor can have, so
 * that the monitor can report how many it leaves out. Throws SitemapError if a part could not be read, because the URLs
 * in this part would look as if they were removed.
 */
export async function readSitemapUrls(
  address: string,
  request: Omit<SitemapRequest, 'countMax'>,
): Promise<string[]> {
  const { addresses, unread, isFaulty } = await readSitemap(address, {
    ...request,
    countMax: sitemapEntriesMax,
  });
  if (isFaulty)
    throw new SitemapError(`Part of the sitemap could not be read. ${unread[0]?.why ?? ''}`.trim());
  const checkable = new Set<string>();
  for (const [index, each] of addresses.entries()) {
    if (index % addressesPerTurn === 0) await nextTurn();
    if (request.http.parse(each).problem === undefined) checkable.add(each);
  }
  if (checkable.size === 0) throw new SitemapError('The sitemap lists no URLs that can be checked.');
  return [...checkable];
}

/** Reads sitemaps up to one common deadline and one common limit. */
class Reader {
  readonly reading: SitemapReading = { addresses: [], unread: [], isFaulty: false };
  readonly #endsAtMs = performance.now() + deadlines.sitemapMs;
  readonly #request: SitemapRequest;
  readonly #fetchPage: FetchPage;
  #sitemaps = 0;
  #characters = 0;

  constructor(request: SitemapRequest, fetchPage: FetchPage) {
    this.#request = request;
    this.#fetchPage = fetchPage;
  }

  async readSite(origin: string): Promise<void> {
    const robots = await this.#readDocument(`${origin}/robots.txt`, 'robots', sitemapsMax + unreadMax).catch(
      (error) => void toMessage(error),
    );
    if (robots && robots.addresses.length > 0) return this.read(robots.addresses);
    for (const path of usualPaths) {
      this.reading.unread = [];
      this.reading.isFaulty = false;
      await this.read([`${origin}${path}`]);
      if (this.reading.addresses.length > 0) return;
    }
    throw new SitemapError(
      'No sitemap was found in robots.txt or at /sitemap.xml. Enter the URL of the sitemap.',
    );
  }

  async read(addresses: string[]): Promise<void> {
    const walk = walkSitemaps(addresses, {
      read: (address, indexMax) => this.#readSitemap(address, indexMax),
      canRead: () => this.#canRead(),
      indexMax: sitemapsMax + unreadMax,
    });
    for await (const { address, document, problem } of walk) {
      if (document) this.#add(address, document);
      else if (problem === 'index_too_deep') this.#reportUnread(address, 'Indexes are read two levels deep.');
      else this.#reportUnread(address, 'Not read yet.');
      if (this.reading.unread.length === unreadMax && !this.#canRead()) return;
    }
  }

  #canRead(): boolean {
    const isLate = performance.now() > this.#endsAtMs;
    if (isLate) this.reading.isFaulty = true;
    return !isLate && this.#sitemaps < sitemapsMax && this.#remaining > 0;
  }

  get #remaining(): number {
    return this.#characters >= charactersMax ? 0 : this.#request.countMax - this.reading.addresses.length;
  }

  async #readSitemap(address: string, indexMax: number): Promise<SitemapDocument | null> {
    this.#sitemaps += 1;
    try {
      const document = await this.#readDocument(address, 'sitemap', indexMax);
      if (document.kind === 'index' && document.cut !== 'entries') this.#reportCut(address, document);
      return document;
    } catch (error) {
      this.reading.isFaulty = true;
      this.#reportUnread(address, toMessage(error));
      return null;
    }
  }

  async #readDocument(
    address: string,
    format: 'sitemap' | 'robots',
    indexMax: number,
  ): Promise<SitemapDocument> {
    const { http, documents, accountId, signal } = this.#request;
    const { problem, url } = http.parse(address);
    if (problem !== undefined) throw new SitemapError(problem);
    const response = await this.#fetchPage(url, this.#endsAtMs);
    if (response.status !== 200) {
      response.discard();
      throw new SitemapError(
        `The sitemap could not be read: the server answered with status ${response.status}. Check its URL.`,
      );
    }
    const isEncoded = response.headers.get('content-encoding') !== null;
    const sitemapMax = isEncoded ? unpackedBytesMax : sitemapBytesMax;
    const bodyMax = format === 'robots' ? robotsBytesMax : sitemapMax;
    const body = await response.readBody(bodyMax);
    const options = {
      url: url.href,
      format,
      contentType: response.headers.get('content-type'),
      cut: response.hasEnded() ? null : body.length >= bodyMax ? ('size' as const) : ('end' as const),
      max: {
        pages: Math.min(sitemapEntriesMax, this.#remaining),
        index: indexMax,
        characters: charactersMax - this.#characters,
      },
    };
    return documents.read(body, options, { accountId, signal });
  }

  #add(address: string, document: SitemapDocument): void {
    for (const each of document.addresses) {
      this.reading.addresses.push(each);
      this.#characters += each.length + 1;
    }
    this.#reportCut(address, document);
    if (document.kind !== null || document.cut !== null) return;
    // A page instead of a sitemap is a fault, because a site may answer so during maintenance, with status 200.
    this.reading.isFaulty = true;
    this.#reportUnread(address, 'This is not a sitemap.');
  }

  #reportCut(address: string, { addresses, cut }: SitemapDocument): void {
    if (cut === null) return;
    this.reading.isFaulty ||= cut !== 'entries';
    this.#reportUnread(
      address,
      `Only the first ${addresses.length.toLocaleString('en')} URLs ${reasons[cut]}.`,
    );
  }

  #reportUnread(address: string, why: string): void {
    const { unread } = this.reading;
    if (unread.length < unreadMax) unread.push({ address, why });
  }
}

const reasons = {
  entries: 'were read, because the limit is reached',
  size: 'were read, because the file is larger than 10 MB, or 16 MB uncompressed',
  end: 'were read, because the file is damaged or incomplete',
};

/** Returns why a sitemap could not be read. Rethrows errors that have another cause than the sitemap. */
function toMessage(error: unknown): string {
  if (error instanceof FetchError) {
    const words = errorWords[error.code];
    return `The sitemap could not be read: ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  }
  if (error instanceof SitemapError) return error.message;
  throw error;
}

const errorWords: Record<FetchErrorCode, string> = {
  ...httpErrorWords,
  dns_not_found: `${httpErrorWords.dns_not_found} Check its URL.`,
  target_not_allowed: 'Its URL leads to a private IP address, which is not contacted.',
  dns_failed: 'A DNS lookup failed on our side. Try again in a few minutes.',
  network_down: 'Our network was down. Try again in a few minutes.',
  no_slot: 'Too many connections to its host are open. Try again in a few seconds.',
  aborted: 'Reading was canceled. Try again.',
};
