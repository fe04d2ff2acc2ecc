import type { FetchedResponse } from '../../net/fetch.ts';
import { FetchError } from '../../net/fetch-error.ts';
import { followRedirects, RedirectChain, type RedirectTools } from '../http/redirects.ts';
import { decideWithSibling, type Sibling, siblingUrl } from '../soft-404/sibling.ts';
import type { PageUrls } from '../soft-404/signals.ts';
import type { Soft404Verdict } from '../soft-404/soft-404.ts';
import { findSupportingReasons } from '../soft-404/weights.ts';
import { detectBotWall } from './bot-wall.ts';
import { type PageMetadata, toMetadata } from './metadata.ts';
import type { Page } from './page.ts';
import type { PageTask, PageTaskRunner } from './page-task.ts';

export interface PageFindings {
  isChecked: boolean;
  isSoft404: boolean;
  reasons: string[];
  botWall: string | null;
  metadata: PageMetadata;
}

/** The requested siblings by URL, and the random word in these URLs. A sibling is a similar URL that does not exist. */
export class Siblings {
  readonly word = `sonde-${Math.random().toString(36).slice(2, 10)}`;
  readonly #known = new Map<string, Promise<Sibling | null>>();

  get(url: string, fetch: () => Promise<Sibling | null>): Promise<Sibling | null> {
    const known = this.#known.get(url);
    if (known) return known;
    const request = fetch();
    this.#known.set(url, request);
    // A failed request is not kept, because a later request may succeed.
    request.catch(() => this.#known.delete(url));
    return request;
  }
}

const bodyBytesMax = 1024 * 1024;
const siblingTimeoutMs = 5_000;
// A page with status 200 may be a soft 404. A page with one of the other statuses may come from bot protection.
const readableStatuses = new Set([200, 403, 429, 503]);

interface PageAnalysisTools extends RedirectTools {
  siblings: Siblings;
  accountId: number;
  runPageTask: PageTaskRunner;
}

/** Reads and judges the page of a response, if it is HTML. Reads or discards the body in any case. */
export async function analysePage(
  response: FetchedResponse,
  chain: RedirectChain,
  tools: PageAnalysisTools,
): Promise<PageFindings> {
  const urls = {
    url: chain.firstUrl.href,
    finalUrl: chain.url.href,
    redirected: chain.redirects.length > 0,
  };
  const body = await readHtml(response);
  const read = body && (await tools.runPageTask({ ...body, urls, isWhole: false }, tools));
  const page = read?.page ?? null;
  const metadata = toMetadata(response, page, urls.finalUrl);
  const botWall = detectBotWall({ status: response.status, headers: response.headers, page });
  if (response.status !== 200 || !read?.verdict || botWall) return { ...unjudged, botWall, metadata };
  const { isChecked, isSoft404, reasons } = read.verdict.isDoubtful
    ? await resolveDoubt(read.verdict, read.page, urls, tools)
    : read.verdict;
  return {
    isChecked,
    isSoft404,
    reasons: reportedReasons(isChecked, isSoft404, reasons),
    botWall,
    metadata,
  };
}

/** Returns the reasons for a soft 404, or the reasons why the page was not judged. */
function reportedReasons(isChecked: boolean, isSoft404: boolean, reasons: string[]): string[] {
  if (!isChecked) return reasons;
  return isSoft404 ? findSupportingReasons(reasons) : [];
}

const unjudged = { isChecked: false, isSoft404: false, reasons: [] };

type Html = Pick<PageTask, 'bytes' | 'contentType' | 'isCut'>;

/** Returns the body of an HTML response if its status is readable. Otherwise returns null. */
async function readHtml(response: FetchedResponse): Promise<Html | null> {
  const contentType = response.headers.get('content-type');
  const isHtml = /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? '');
  if (!isHtml || !readableStatuses.has(response.status)) {
    response.discard();
    return null;
  }
  const bytes = await response.readBody(bodyBytesMax);
  if (bytes.length === 0) return null;
  return { bytes, contentType, isCut: bytes.length >= bodyBytesMax };
}

async function resolveDoubt(
  verdict: Soft404Verdict,
  page: Page,
  urls: PageUrls,
  tools: PageAnalysisTools,
): Promise<Soft404Verdict> {
  const address = siblingUrl(urls.url, tools.siblings.word);
  // The slots at the host are released first. Other checks that hold a slot may be waiting for the same sibling.
  tools.target.slot.leaveTarget();
  const sibling = address && (await tools.siblings.get(address, () => fetchPage(address, tools)));
  const decide = (first: Soft404Verdict, of: Page) =>
    sibling && first.isDoubtful ? decideWithSibling(first, of, sibling, urls) : first;
  const resolved = decide(verdict, page);
  if (!resolved.isSoft404) return resolved;
  // A second fetch confirms a doubtful soft 404, because a page may be missing only for a moment.
  const again = await fetchPage(urls.url, tools, urls);
  const isConfirmed =
    again?.status === 200 &&
    again.page !== null &&
    again.verdict !== null &&
    decide(again.verdict, again.page).isSoft404;
  return isConfirmed ? resolved : { ...resolved, isSoft404: false };
}

const inconclusiveCodes: ReadonlySet<string> = new Set(['aborted', 'no_slot']);

/**
 * Fetches a page and follows redirects. If `urls` is set, also judges the page. Returns null if the target fails.
 * Throws FetchError `aborted`, `no_slot`.
 */
async function fetchPage(
  address: string,
  tools: PageAnalysisTools,
  urls: PageUrls | null = null,
): Promise<(Sibling & { verdict: Soft404Verdict | null }) | null> {
  const chain = new RedirectChain(new URL(address));
  try {
    const deadlineMs = chain.startedMs + siblingTimeoutMs;
    const response = await followRedirects(chain, tools, { deadlineMs, isFollowed: true });
    const body = await readHtml(response);
    const read = body && (await tools.runPageTask({ ...body, urls, isWhole: true }, tools));
    const { page, verdict } = read ?? { page: null, verdict: null };
    return { page, verdict, status: response.status, finalUrl: chain.url.href };
  } catch (error) {
    if (error instanceof FetchError && !inconclusiveCodes.has(error.code)) return null;
    throw error;
  }
}
