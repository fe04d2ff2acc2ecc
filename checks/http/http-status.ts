import type { FetchedResponse } from '../../net/fetch.ts';
import { FetchError } from '../../net/fetch-error.ts';
import { parseRetryAfter } from '../../net/retry-after.ts';
import type { HttpError, HttpStatusAnswer, UserAgent } from '../../schemas/http-status.ts';
import type { Outcome, RecheckReason } from '../outcome.ts';
import { analysePage, type PageFindings, type Siblings } from '../page/findings.ts';
import { noMetadata } from '../page/metadata.ts';
import type { PageTaskRunner } from '../page/page-task.ts';
import { followRedirects, RedirectChain, type RedirectTools } from './redirects.ts';
import { userAgentHeader } from './user-agents.ts';

export interface HttpStatusInput {
  url: URL;
  followRedirects: boolean;
  userAgent: UserAgent;
}

/** Time after which a host at its limit may have a free slot again. */
const fullHostSeconds = 5;

export interface HttpStatusTools extends RedirectTools {
  /** Pages that were fetched for comparison. */
  siblings: Siblings;
  accountId: number;
  runPageTask: PageTaskRunner;
  /** Time limit of one check. It covers all redirects and the body. */
  timeoutMs: number;
}

/**
 * Checks one URL: follows at most ten redirects and judges whether the page is a soft 404. A fault of the target is a
 * successful outcome. Throws FetchError `aborted`.
 */
export async function checkHttpStatus(
  input: HttpStatusInput,
  given: HttpStatusTools,
): Promise<Outcome<HttpStatusAnswer>> {
  const chain = new RedirectChain(input.url);
  const tools = { ...given, userAgent: userAgentHeader(input.userAgent, given.userAgent) };
  try {
    const deadlineMs = chain.startedMs + tools.timeoutMs;
    const response = await followRedirects(chain, tools, { deadlineMs, isFollowed: input.followRedirects });
    const findings = await analysePage(response, chain, tools);
    return toAnswer(chain, response, findings);
  } catch (error) {
    if (error instanceof FetchError) return outcomeWithoutResponse(chain, error);
    throw error;
  }
}

function toAnswer(
  chain: RedirectChain,
  response: FetchedResponse,
  findings: PageFindings,
): Outcome<HttpStatusAnswer> {
  const answer: HttpStatusAnswer = {
    status: response.status,
    is_soft404: findings.isSoft404,
    ...toRedirectFields(chain),
    content_type: toStorable(response.headers.get('content-type')),
    soft404_checked: findings.isChecked,
    soft404_reasons: findings.reasons,
    bot_wall: findings.botWall,
    ...findings.metadata,
    error: chain.error,
  };
  return toSuccess(answer, findThrottling(response));
}

export function toSuccess(
  answer: HttpStatusAnswer,
  recheck: RecheckReason | null = null,
): Outcome<HttpStatusAnswer> {
  return { state: 'success', answer: cutToSize(answer), tally: toHttpTally(answer), recheck };
}

function outcomeWithoutResponse(chain: RedirectChain, error: FetchError): Outcome<HttpStatusAnswer> {
  switch (error.code) {
    case 'aborted':
      throw error;
    case 'target_not_allowed':
      return { state: 'failed', error: 'target_not_allowed', isRetryable: false };
    case 'dns_failed':
    case 'network_down':
      return { state: 'failed', error: 'checker_unreachable', isRetryable: true };
    case 'no_slot':
      return {
        state: 'failed',
        error: 'checker_unreachable',
        isRetryable: true,
        retryAfterSeconds: fullHostSeconds,
        hadNoSlot: true,
      };
    default:
      return answerWithoutResponse(chain, error.code, error.message);
  }
}

/** Errors whose FetchError has a message for the user. */
const detailedErrors: ReadonlySet<HttpError> = new Set(['invalid_response', 'tls_error']);

function answerWithoutResponse(
  chain: RedirectChain,
  error: HttpError,
  message: string,
): Outcome<HttpStatusAnswer> {
  chain.stopClock();
  const isSilence = ['connect_timeout', 'response_timeout', 'connection_reset'].includes(error);
  const answer: HttpStatusAnswer = {
    status: 0,
    is_soft404: false,
    ...toRedirectFields(chain),
    content_type: null,
    soft404_checked: false,
    soft404_reasons: [],
    bot_wall: null,
    ...noMetadata,
    ...(detailedErrors.has(error) && { error_detail: message }),
    error,
  };
  return toSuccess(answer, isSilence ? { reason: 'silence' } : null);
}

function toRedirectFields(chain: RedirectChain) {
  return {
    initial_status: chain.initialStatus,
    redirect_count: chain.redirects.length,
    redirects: chain.redirects,
    final_url: chain.url.href,
    response_time_ms: Math.round(chain.elapsedMs),
  };
}

/** Returns a reason to pause the host and repeat the check: a 429, or a 503 with Retry-After. Otherwise null. */
function findThrottling(response: FetchedResponse): RecheckReason | null {
  const header = response.headers.get('retry-after');
  if (response.status !== 429 && !(response.status === 503 && header !== null)) return null;
  return { reason: 'throttled', afterSeconds: parseRetryAfter(header) };
}

export function toHttpTally(answer: HttpStatusAnswer): string[] {
  return [
    answer.status === 0 ? 'unreachable' : statusClass(answer.status),
    ...(answer.redirect_count > 0 ? ['redirected'] : []),
    ...(answer.is_soft404 ? ['soft404'] : []),
    ...(answer.bot_wall ? ['bot_wall'] : []),
  ];
}

function statusClass(status: number): string {
  return status < 600 ? `status_${Math.floor(status / 100)}xx` : 'status_other';
}

const outcomeBytesMax = 4096;
const redirectLengthMax = 512;

/**
 * Cuts an answer to the 4 KiB of a stored outcome. First, the URL of each redirect is cut to 512 characters. Then
 * redirects in the middle are removed.
 */
export function cutToSize(answer: HttpStatusAnswer): HttpStatusAnswer {
  if (isSmall(answer)) return answer;
  const redirects = answer.redirects.map(({ url, status }) => ({
    url: url.slice(0, redirectLengthMax),
    status,
  }));
  const whole = { ...answer, final_url: answer.final_url.slice(0, 2048), redirects };
  for (let lost = 0; lost <= redirects.length; lost++) {
    const cut =
      lost === 0 ? whole : { ...whole, redirects: removeMiddle(redirects, lost), redirects_cut: lost };
    if (Buffer.byteLength(JSON.stringify(cut)) <= outcomeBytesMax) return cut;
  }
  const bare = { ...whole, redirects: [], final_url: whole.final_url.slice(0, 512) };
  return redirects.length > 0 ? { ...bare, redirects_cut: redirects.length } : bare;
}

// Texts of this total length fit. A character takes at most six bytes, and all other fields together less than 1,000.
const smallCharsMax = 400;

/** Returns true if an answer certainly fits, so that most answers need not be serialized. */
function isSmall({ redirects, final_url, content_type, title, canonical }: HttpStatusAnswer): boolean {
  const texts = [final_url, content_type, title, canonical];
  return redirects.length === 0 && texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) <= smallCharsMax;
}

function removeMiddle<Item>(items: readonly Item[], lost: number): Item[] {
  return items.toSpliced(Math.ceil((items.length - lost) / 2), lost);
}

/** Returns a header as text that Postgres can store. */
function toStorable(header: string | null): string | null {
  return header === null ? null : header.replaceAll('\0', '').toWellFormed().slice(0, 255);
}
