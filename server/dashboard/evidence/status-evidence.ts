import { STATUS_CODES } from 'node:http';
import type { HttpError, HttpStatusAnswer } from '../../../schemas/http-status.ts';
import { soft404InWords } from './soft-404-words.ts';
import type { Told } from './told.ts';

/** An HTTP answer in words: what came, and what of the page or the way says so. */
export function tellStatus(answer: HttpStatusAnswer): Told {
  const { status, redirects, redirect_count: hops, final_url: finalUrl, error, bot_wall: botWall } = answer;
  const evidence = [
    ...(error ? [answer.error_detail ?? httpErrorWords[error]] : []),
    ...(answer.is_soft404 ? ['The page says it is not there, although its status is 200.'] : []),
    ...(answer.is_soft404 ? answer.soft404_reasons.flatMap((reason) => soft404InWords(reason) ?? []) : []),
    ...(botWall ? [`A bot wall answered instead of the page (${botWall}).`] : []),
    ...remarksOf(answer),
  ];
  const way = redirects.map((hop) => ({ status: String(hop.status), url: hop.url }));
  return {
    ...nameOf(answer),
    evidence,
    trail: way.length > 0 ? [...way, { status: status ? String(status) : '—', url: finalUrl }] : [],
    found: hops > 0 ? finalUrl : null,
    hops,
    ms: status > 0 ? answer.response_time_ms : null,
  };
}

function nameOf({ status, is_soft404: isSoft404, error }: HttpStatusAnswer): Pick<Told, 'answer' | 'tone'> {
  if (isSoft404) return { answer: 'Soft 404', tone: 'warn' };
  if (error === 'redirect_loop') return { answer: 'Redirect loop', tone: 'bad' };
  if (status === 0) return { answer: 'Unreachable', tone: 'silent' };
  return { answer: `${status} ${STATUS_CODES[status] ?? ''}`.trim(), tone: toneOf(status) };
}

/** What the page says of itself that a search engine goes by. */
function remarksOf({ title, noindex, canonical, final_url: finalUrl }: HttpStatusAnswer): string[] {
  const isElsewhere = Boolean(canonical) && canonical !== finalUrl;
  return [
    ...(noindex
      ? [`Asks not to be indexed, in its ${noindex === 'header' ? 'headers' : 'robots meta tag'}.`]
      : []),
    ...(isElsewhere ? [`Names another address as its canonical one: ${canonical}`] : []),
    ...(title ? [`Title: ${title}`] : []),
  ];
}

function toneOf(status: number): Told['tone'] {
  if (status < 300) return 'good';
  if (status < 400) return 'info';
  if (status < 500) return 'bad';
  return status < 600 ? 'fault' : 'low';
}

const httpErrorWords: Record<HttpError, string> = {
  dns_not_found: 'The name does not exist: no address was found for it.',
  connect_refused: 'The server refuses connections.',
  connect_timeout: 'No connection came about in time, twice.',
  connection_reset: 'The server broke off the connection, twice.',
  response_timeout: 'The server took the request and did not answer in time, twice.',
  tls_error: 'The certificate or the encrypted connection is not right.',
  invalid_response: 'The response is not valid HTTP.',
  headers_too_large: 'The response has more than 64 KiB of headers.',
  redirect_loop: 'A redirect loop: it leads back to a URL it came from. Cookies are not kept.',
  too_many_redirects: 'More than ten redirects; this is the last one.',
  invalid_redirect: 'It redirects to something that is not an address on the web.',
};
