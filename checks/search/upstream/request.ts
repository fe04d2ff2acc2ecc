import fetch, { FetchError, type Headers, type RequestInit } from 'node-fetch';
import { parseRetryAfter } from '../../../net/retry-after.ts';
import { ProviderError, type ProviderErrorKind } from '../serp.ts';

/** Maximum size of an answer, larger than a whole page of Google inside JSON. */
const answerBytesMax = 8 * 1024 * 1024;

interface ProviderRequest {
  provider: string;
  /** May contain a key in its query, so it must not appear in messages. */
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs: number;
}

export interface ProviderReply {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends one request to an upstream, with a limit of `timeoutMs` and 8 MiB. `body` is sent as JSON. Redirects are not
 * followed, because they could leak the key. A sent request is paid for, so it is not aborted earlier.
 *
 * Throws `ProviderError` (timeout, upstream).
 */
export async function sendRequest(question: ProviderRequest): Promise<ProviderReply> {
  const { provider, url } = question;
  const deadline = AbortSignal.timeout(question.timeoutMs);
  try {
    const response = await fetch(url, toInit(question, deadline));
    const reply = { status: response.status, headers: response.headers, text: await response.text() };
    if (reply.status < 300 || reply.status > 399) return reply;
  } catch (error) {
    throw toProviderError(error, question, deadline);
  }
  throw new ProviderError(provider, 'upstream', `redirects; is ${url.origin} the right base URL?`);
}

/** Returns the URL of a path below a base URL, which may itself have a path. */
export function joinUrl(baseUrl: string, path: string): URL {
  return new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
}

/** Converts an HTTP status to an error, with the pause of `Retry-After`; null for 200. */
export function toStatusError(
  reply: Pick<ProviderReply, 'status' | 'headers'>,
  provider: string,
): ProviderError | null {
  const { status } = reply;
  if (status === 200) return null;
  return new ProviderError(provider, toErrorKind(status), `answered with status ${status}`, {
    retryAfterSeconds: parseRetryAfter(reply.headers.get('retry-after')),
  });
}

function toErrorKind(status: number): ProviderErrorKind {
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
  { provider, url }: ProviderRequest,
  deadline: AbortSignal,
): ProviderError {
  if (deadline.aborted) return new ProviderError(provider, 'timeout', 'no answer in time');
  if (!(error instanceof FetchError)) {
    return new ProviderError(provider, 'upstream', 'the request failed', { cause: error });
  }
  // Messages of node-fetch contain the whole URL with the key.
  const cause = new Error(error.message.replaceAll(url.href, url.origin + url.pathname));
  const isTooLarge = error.type === 'max-size';
  const message = isTooLarge
    ? 'answered with more than 8 MiB'
    : `no connection (${error.code ?? error.type})`;
  return new ProviderError(provider, 'upstream', message, { cause });
}
