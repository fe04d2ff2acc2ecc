import type { FetchedResponse } from '../../net/fetch.ts';
import { FetchError } from '../../net/fetch-error.ts';
import { retryAfterSeconds } from '../../net/retry-after.ts';
import type { HttpError, HttpStatusAnswer, UserAgent } from '../../schemas/http-status.ts';
import type { Again, Outcome } from '../outcome.ts';
import { type PageFindings, type Siblings, studyPage } from '../page/findings.ts';
import type { PageTaskRunner } from '../page/page-task.ts';
import { noRemarks } from '../page/remarks.ts';
import { follow, Trail, type TrailTools } from './trail.ts';
import { userAgentHeader } from './user-agents.ts';

export interface HttpStatusInput {
  url: string;
  followRedirects: boolean;
  /** Under whose name the target is asked; our own if not said. */
  userAgent?: UserAgent;
}

/** When there may be a place again at a host that is asked for as much as it should be. */
const fullSeconds = 5;

/** What a check borrows from the process and, within a batch, from its chunk. */
export interface HttpStatusTools extends TrailTools {
  /** Pages fetched to compare with, shared by the checks of a chunk. */
  siblings: Siblings;
  /** Who pays for the check. */
  accountId: number;
  /** Where pages are read and judged: on the event loop unless told otherwise. */
  runPageTask?: PageTaskRunner;
  /** For all hops and the body together. */
  timeoutMs: number;
}

/**
 * What a URL really answers, after at most ten redirects, and whether its page is a soft 404. Whatever the
 * target does is an answer; throws FetchError `aborted` when the signal was.
 */
export async function checkHttpStatus(
  input: HttpStatusInput,
  given: HttpStatusTools,
): Promise<Outcome<HttpStatusAnswer>> {
  const trail = new Trail(input.url);
  const tools = { ...given, userAgent: userAgentHeader(input.userAgent ?? 'sonde', given.userAgent) };
  try {
    const deadlineMs = trail.startedMs + tools.timeoutMs;
    const response = await follow(trail, tools, { deadlineMs, isFollowed: input.followRedirects });
    const findings = await studyPage(response, trail, tools);
    return answered(trail, response, findings);
  } catch (error) {
    if (error instanceof FetchError) return unanswered(trail, error);
    throw error;
  }
}

function answered(
  trail: Trail,
  response: FetchedResponse,
  findings: PageFindings,
): Outcome<HttpStatusAnswer> {
  const answer: HttpStatusAnswer = {
    status: response.status,
    is_soft404: findings.isSoft404,
    ...wayOf(trail),
    content_type: storable(response.headers.get('content-type')),
    soft404_checked: findings.isChecked,
    soft404_reasons: findings.reasons,
    bot_wall: findings.botWall,
    ...findings.remarks,
    error: trail.error,
  };
  return {
    state: 'success',
    answer: cutToSize(answer),
    tally: tallyOf(answer),
    again: throttling(response),
  };
}

function unanswered(trail: Trail, error: FetchError): Outcome<HttpStatusAnswer> {
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
      return silent(trail, error.code, error.message);
  }
}

/** Those whose FetchError has a message for the caller. */
const detailedErrors: ReadonlySet<HttpError> = new Set(['invalid_response', 'tls_error']);

function silent(trail: Trail, error: HttpError, message: string): Outcome<HttpStatusAnswer> {
  trail.noteTime();
  const isSilence = ['connect_timeout', 'response_timeout', 'connection_reset'].includes(error);
  const answer: HttpStatusAnswer = {
    status: 0,
    is_soft404: false,
    ...wayOf(trail),
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

function wayOf(trail: Trail) {
  return {
    initial_status: trail.initialStatus,
    redirect_count: trail.redirects.length,
    redirects: trail.redirects,
    final_url: trail.url.href,
    response_time_ms: Math.round(trail.elapsedMs),
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
