import fetch, { FetchError, type Headers, type RequestInit } from 'node-fetch';
import { retryAfterSeconds } from '../../../net/retry-after.ts';
import { ProviderError, type ProviderErrorKind } from '../serp.ts';

/** A body with page source inside JSON is the largest we expect. */
const answerBytesMax = 8 * 1024 * 1024;

export interface ProviderRequest {
  provider: string;
  /** May hold a key in its query: never goes into a message. */
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Response of an upstream, with any status. */
export interface ProviderReply {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Asks an upstream once, for at most `timeoutMs`, for at most 8 MiB, without following redirects (they would carry
 * the key elsewhere). `body` is sent as JSON.
 *
 * Errors: `ProviderError` (timeout, upstream); the signal's own reason when the caller gave up for another cause.
 */
export async function ask(question: ProviderRequest): Promise<ProviderReply> {
  const { provider, url, signal } = question;
  const deadline = AbortSignal.timeout(question.timeoutMs);
  try {
    const response = await fetch(url, toInit(question, AbortSignal.any([signal, deadline])));
    const reply = { status: response.status, headers: response.headers, text: await response.text() };
    if (reply.status < 300 || reply.status > 399) return reply;
  } catch (error) {
    throw toProviderError(error, question, deadline);
  }
  throw new ProviderError(provider, 'upstream', `redirects elsewhere; is ${url.origin} the right base URL?`);
}

/** The address of a path below a base URL, which may have a path of its own. */
export function addressOf(baseUrl: string, path: string): URL {
  return new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
}

/** Returns the error to throw once the caller's signal has aborted: a timeout for its deadline, else its own reason. */
export function reasonToStop(provider: string, { reason }: AbortSignal): unknown {
  const isDeadline = reason instanceof Error && reason.name === 'TimeoutError';
  return isDeadline ? new ProviderError(provider, 'timeout', 'no answer in time') : reason;
}

/**
 * The error an HTTP status stands for where a provider gives it no meaning of its own; null for exactly 200, the one
 * that says "here it is". A `Retry-After` in seconds is kept.
 */
export function errorOfStatus(
  reply: Pick<ProviderReply, 'status' | 'headers'>,
  provider: string,
): ProviderError | null {
  const { status } = reply;
  if (status === 200) return null;
  return new ProviderError(provider, kindOfStatus(status), `answered with status ${status}`, {
    retryAfterSeconds: retryAfterSeconds(reply.headers.get('retry-after')),
  });
}

function kindOfStatus(status: number): ProviderErrorKind {
  if (status === 401 || status === 403 || status === 407) return 'auth';
  if (status === 402) return 'quota';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 429) return 'rate_limit';
  return status >= 400 && status < 500 ? 'bad_request' : 'upstream';
}

function toInit({ method = 'GET', headers = {}, body }: ProviderRequest, signal: AbortSignal): RequestInit {
  const init: RequestInit = { method, headers, signal, redirect: 'manual', size: answerBytesMax };
  if (body === undefined) return init;
  return { ...init, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function toProviderError(
  error: unknown,
  { provider, url, signal }: ProviderRequest,
  deadline: AbortSignal,
): unknown {
  if (signal.aborted) return reasonToStop(provider, signal);
  if (deadline.aborted) return new ProviderError(provider, 'timeout', 'no answer in time');
  if (!(error instanceof FetchError)) {
    return new ProviderError(provider, 'upstream', 'the request failed', { cause: error });
  }
  // node-fetch writes the whole address, key included, into its messages.
  const cause = new Error(error.message.replaceAll(url.href, url.origin + url.pathname));
  const isTooLarge = error.type === 'max-size';
  const what = isTooLarge ? 'answered with more than 8 MiB' : `no connection (${error.code ?? error.type})`;
  return new ProviderError(provider, 'upstream', what, { cause });
}
