import fetch, { FetchError, type Headers, type RequestInit } from 'node-fetch';
import { countValues } from '../../../lists/json-body.ts';
import { parseRetryAfter } from '../../../net/retry-after.ts';
import { ProviderError, type ProviderErrorKind } from '../serp.ts';

/** Maximum size of an answer, larger than a whole page of Google inside JSON. */
const answerBytesMax = 8 * 1024 * 1024;

interface ProviderRequest {
  provider: string;
  /** May contain a key in its query, so it must not appear in messages. */
  url: URL;
  headers?: Record<string, string>;
  /** Sent as JSON by POST. Without a body, the request is a GET. */
  body?: unknown;
  timeoutMs: number;
}

export interface ProviderReply {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends one request to an upstream, with a limit of `timeoutMs` and 8 MiB. Redirects are not followed, because they
 * could leak the key. A sent request is paid for, so it is not aborted earlier.
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

/**
 * Sends one request to an upstream and parses the JSON of the reply. `explain` may replace the error of a status.
 *
 * Throws `ProviderError`.
 */
export async function requestJson(
  question: ProviderRequest,
  explain: (error: ProviderError, reply: ProviderReply) => ProviderError = (error) => error,
): Promise<unknown> {
  const reply = await sendRequest(question);
  const error = toStatusError(reply, question.provider);
  if (error !== null) throw explain(error, reply);
  return parseJson(reply.text, question.provider);
}

/** Maximum number of values and keys. The largest recorded answers have 20,000 values. */
const valuesMax = 100_000;

/**
 * Checks the number of values, and then parses JSON. Without this check, eight million brackets would block the event
 * loop for a third of a second. Throws `ProviderError` (unreadable).
 */
export function parseJson(text: string, provider: string): unknown {
  if (countValues(Buffer.from(text), valuesMax) > valuesMax)
    throw new ProviderError(provider, 'unreadable', `JSON with more than ${valuesMax} values`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProviderError(provider, 'unreadable', `not JSON (${text.length} characters)`, { cause });
  }
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

function toInit({ headers = {}, body }: ProviderRequest, signal: AbortSignal): RequestInit {
  const init: RequestInit = { headers, signal, redirect: 'manual', size: answerBytesMax };
  if (body === undefined) return init;
  const jsonHeaders = { 'content-type': 'application/json', ...headers };
  return { ...init, method: 'POST', headers: jsonHeaders, body: JSON.stringify(body) };
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
