import type { FetchedResponse } from '../../net/fetch.ts';
import { FetchError } from '../../net/fetch-error.ts';
import { retryAfterSeconds } from '../../net/retry-after.ts';
import type { HttpError, HttpStatusAnswer, UserAgent } from '../../schemas/http-status.ts';
import type { Again, Outcome } from '../outcome.ts';
import { type PageFindings, type Siblings, studyPage } from '../page/findings.ts';
import type { PageTaskRunner } from '../page/page-task.ts';
import { noRemarks } from '../page/remarks.ts';
import { followRedirects, RedirectChain, type RedirectTools } from './redirects.ts';
import { userAgentHeader } from './user-agents.ts';

export interface HttpStatusInput {
  url: URL;
  followRedirects: boolean;
  /** Default: our own. */
  userAgent?: UserAgent;
}

/** When a host at its limit may have a free slot again. */
const fullSeconds = 5;

/** What a check gets from the process and, within a batch, from its chunk. */
export interface HttpStatusTools extends RedirectTools {
  /** Pages fetched to compare with. */
  siblings: Siblings;
  /** Account that pays for the check. */
  accountId: number;
  /** Where pages are read and judged. Default: the event loop. */
  runPageTask?: PageTaskRunner;
  /** For all hops and the body together. */
  timeoutMs: number;
}

/**
 * Checks one URL: what it answers after at most ten redirects, and whether its page is a soft 404. Whatever the target
 * does is an answer. Errors: FetchError `aborted` when the signal was.
 */
export async function checkHttpStatus(
  input: HttpStatusInput,
  given: HttpStatusTools,
): Promise<Outcome<HttpStatusAnswer>> {
  const chain = new RedirectChain(input.url);
  const tools = { ...given, userAgent: userAgentHeader(input.userAgent ?? 'sonde', given.userAgent) };
  try {
    const deadlineMs = chain.startedMs + tools.timeoutMs;
    const response = await followRedirects(chain, tools, { deadlineMs, isFollowed: input.followRedirects });
    const findings = await studyPage(response, chain, tools);
    return answered(chain, response, findings);
  } catch (error) {
    if (error instanceof FetchError) return unanswered(chain, error);
    throw error;
  }
}

function answered(
  chain: RedirectChain,
  response: FetchedResponse,
  findings: PageFindings,
): Outcome<HttpStatusAnswer> {
  const answer: HttpStatusAnswer = {
    status: response.status,
    is_soft404: findings.isSoft404,
    ...redirectsOf(chain),
    content_type: storable(response.headers.get('content-type')),
    soft404_checked: findings.isChecked,
    soft404_reasons: findings.reasons,
    bot_wall: findings.botWall,
    ...findings.remarks,
    error: chain.error,
  };
  return {
    state: 'success',
    answer: cutToSize(answer),
    tally: tallyOf(answer),
    again: throttling(response),
  };
}

function unanswered(chain: RedirectChain, error: FetchError): Outcome<HttpStatusAnswer> {
  switch (error.code) {
    case 'aborted':
      throw error;
    case 'target_not_allowed':
      return { state: 'failed', error: 'target_not_allowed', isRetryable: false };
    case 'dns_failed':
    case 'network_down':
      return { state: 'failed', error: 'checker_unreachable', isRetryable: true };
    case 'no_place':
      return {
        state: 'failed',
        error: 'checker_unreachable',
        isRetryable: true,
        retryAfterSeconds: fullSeconds,
        isPutOff: true,
      };
    default:
      return silent(chain, error.code, error.message);
  }
}

/** Those whose FetchError has a message for the caller. */
const detailedErrors: ReadonlySet<HttpError> = new Set(['invalid_response', 'tls_error']);

function silent(chain: RedirectChain, error: HttpError, message: string): Outcome<HttpStatusAnswer> {
  chain.stopClock();
  const isSilence = ['connect_timeout', 'response_timeout', 'connection_reset'].includes(error);
  const answer: HttpStatusAnswer = {
    status: 0,
    is_soft404: false,
    ...redirectsOf(chain),
    content_type: null,
    soft404_checked: false,
    soft404_reasons: [],
    bot_wall: null,
    ...noRemarks,
    ...(detailedErrors.has(error) && { error_detail: message }),
    error,
  };
  return {
    state: 'success',
    answer: cutToSize(answer),
    tally: tallyOf(answer),
    again: isSilence ? { reason: 'silence' } : null,
  };
}

function redirectsOf(chain: RedirectChain) {
  return {
    initial_status: chain.initialStatus,
    redirect_count: chain.redirects.length,
    redirects: chain.redirects,
    final_url: chain.url.href,
    response_time_ms: Math.round(chain.elapsedMs),
  };
}

function throttling(response: FetchedResponse): Again | null {
  const header = response.headers.get('retry-after');
  if (response.status !== 429 && !(response.status === 503 && header !== null)) return null;
  return { reason: 'throttled', afterSeconds: retryAfterSeconds(header) };
}

/** The counters of a summary that an answer adds one to. */
export function tallyOf(answer: HttpStatusAnswer): string[] {
  return [
    answer.status === 0 ? 'unreachable' : classOf(answer.status),
    ...(answer.redirect_count > 0 ? ['redirected'] : []),
    ...(answer.is_soft404 ? ['soft404'] : []),
    ...(answer.bot_wall ? ['bot_wall'] : []),
  ];
}

function classOf(status: number): string {
  return status < 600 ? `status_${Math.floor(status / 100)}xx` : 'status_other';
}

const outcomeBytesMax = 4096;
const redirectLengthMax = 512;

/**
 * A stored outcome is at most 4 KiB: redirects are cut to 512 characters each, and where they are too long
 * lose their middle, for the first and the last say most.
 */
export function cutToSize(answer: HttpStatusAnswer): HttpStatusAnswer {
  if (isSurelySmall(answer)) return answer;
  const redirects = answer.redirects.map(({ url, status }) => ({
    url: url.slice(0, redirectLengthMax),
    status,
  }));
  const whole = { ...answer, final_url: answer.final_url.slice(0, 2048), redirects };
  for (let lost = 0; lost <= redirects.length; lost++) {
    const cut =
      lost === 0 ? whole : { ...whole, redirects: withoutMiddle(redirects, lost), redirects_cut: lost };
    if (Buffer.byteLength(JSON.stringify(cut)) <= outcomeBytesMax) return cut;
  }
  const bare = { ...whole, redirects: [], final_url: whole.final_url.slice(0, 512) };
  return redirects.length > 0 ? { ...bare, redirects_cut: redirects.length } : bare;
}

// A character takes six bytes at most, and what stands beside these texts, every signal told, less than a thousand.
const smallCharsMax = 400;

/** As nearly all answers are; seen without writing them out. */
function isSurelySmall({ redirects, final_url, content_type, title, canonical }: HttpStatusAnswer): boolean {
  const texts = [final_url, content_type, title, canonical];
  return redirects.length === 0 && texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) <= smallCharsMax;
}

function withoutMiddle<Item>(items: readonly Item[], lost: number): Item[] {
  return items.toSpliced(Math.ceil((items.length - lost) / 2), lost);
}

/** A header as text that Postgres can hold. */
function storable(header: string | null): string | null {
  return header === null ? null : header.replaceAll('\0', '').toWellFormed().slice(0, 255);
}
