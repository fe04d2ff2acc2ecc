import type { HttpStatusAnswer, HttpStatusOptions } from '../../schemas/http-status.ts';
import type { Engine } from '../engine.ts';
import { toSuccess } from '../http/http-status.ts';
import type { CheckSlots } from '../http/slots.ts';
import type { Outcome } from '../outcome.ts';
import { noMetadata } from '../page/metadata.ts';

const redirectsMax = 10;
const msPerAnswer = 100;

/**
 * Returns the simulated outcome of an HTTP check. The outcome depends on the name of the host or of its parent domain:
 * `status-404.example` has status 404; other numbers from 200 to 999 work as well, except redirects. `soft404.example`
 * is a soft 404. `redirect-2.example` redirects twice, and `redirect-11.example` too often. `silent.example` does not
 * respond. `no-such-name.example` does not resolve. `blocked.example` has bot protection. `noindex.example` forbids
 * indexing. A check of `unreachable.example` fails. Any other host is an ordinary page.
 */
export function simulateHttpAnswer(
  address: string,
  { follow_redirects: isFollowed = true }: HttpStatusOptions = {},
): Outcome<HttpStatusAnswer> {
  const url = new URL(address.trim());
  const name = /(?:^|\.)([a-z0-9-]+)\.example$/.exec(url.hostname)?.[1] ?? '';
  if (name === 'unreachable') return { state: 'failed', error: 'checker_unreachable', isRetryable: false };
  return toSuccess({ ...pageAnswer(url), ...overridesFor(name, url, isFollowed), simulated: true });
}

/** Creates an engine whose answers depend only on the host name of the input and the options. It sends no requests. */
export function createSimulatedHttpEngine(slots: CheckSlots): Engine<'http'> {
  return {
    check: async ({ input, options }) => simulateHttpAnswer(input.url, options),
    startChunk: (options, { accountId }) => ({
      prepare: ({ url }) => ({
        acquireSlot: (signal) => slots.acquire({ accountId, host: null, signal }),
        attempt: async () => simulateHttpAnswer(url, options),
      }),
      close: () => {},
    }),
  };
}

function pageAnswer(url: URL): HttpStatusAnswer {
  return {
    ...responseFields(url, 200),
    is_soft404: false,
    content_type: 'text/html; charset=utf-8',
    soft404_checked: true,
    soft404_reasons: [],
    bot_wall: null,
    ...noMetadata,
    title: 'A simulated page',
    error: null,
  };
}

function overridesFor(name: string, url: URL, isFollowed: boolean): Partial<HttpStatusAnswer> {
  const [, status] = /^status-([2-9]\d\d)$/.exec(name) ?? [];
  if (status && !status.startsWith('3'))
    return { ...responseFields(url, Number(status)), ...unreadFields(status) };
  const [, redirects] = /^redirect-([1-9]\d?)$/.exec(name) ?? [];
  if (redirects) return redirectFields(url, isFollowed ? Number(redirects) : 0);
  switch (name) {
    case 'soft404':
      return {
        is_soft404: true,
        soft404_reasons: ['title_not_found', 'short_text'],
        title: 'Page not found',
      };
    case 'silent':
      return { ...noResponseFields(url), response_time_ms: 10_000, error: 'connect_timeout' };
    case 'no-such-name':
      return { ...noResponseFields(url), error: 'dns_not_found' };
    case 'blocked':
      return { ...responseFields(url, 403), ...unreadFields('403'), bot_wall: 'cloudflare' };
    case 'noindex':
      return { noindex: 'meta' };
    default:
      return {};
  }
}

function responseFields(url: URL, status: number) {
  return {
    status,
    initial_status: status,
    redirect_count: 0,
    redirects: [],
    final_url: url.href,
    response_time_ms: msPerAnswer,
  };
}

/** Real checks judge only pages with status 200. */
function unreadFields(status: string): Partial<HttpStatusAnswer> {
  return status === '200' ? {} : { soft404_checked: false, ...noMetadata };
}

function noResponseFields(url: URL): Partial<HttpStatusAnswer> {
  return { ...responseFields(url, 0), content_type: null, ...unreadFields('0') };
}

/** Redirects from the URL to `/1`, `/2` and so on. If redirects are not followed, the answer is the first redirect. */
function redirectFields(url: URL, followed: number): Partial<HttpStatusAnswer> {
  const addressAt = (step: number) => (step === 0 ? url.href : new URL(`/${step}`, url).href);
  const count = Math.min(followed, redirectsMax);
  const chain = {
    initial_status: 301,
    redirect_count: count,
    redirects: Array.from({ length: count }, (_, step) => ({ url: addressAt(step), status: 301 })),
    final_url: addressAt(count),
    response_time_ms: msPerAnswer * (count + 1),
  };
  if (followed === 0) return { ...chain, status: 301, ...unreadFields('301') };
  if (followed > redirectsMax)
    return { ...chain, status: 301, ...unreadFields('301'), error: 'too_many_redirects' };
  return chain;
}
