import { STATUS_CODES } from 'node:http';
import type { ItemRow } from '../../db/items.ts';
import type { IndexAnswer } from '../../schemas/check.ts';
import type { HttpError, HttpStatusAnswer } from '../../schemas/http-status.ts';
import type { RankAnswer } from '../../schemas/keyword.ts';
import { itemBody } from '../../wire/bodies.ts';
import { duration } from './format.ts';
import { soft404InWords } from './soft-404-words.ts';

/** An item as a row: what was asked, what came of it, and why we say so. */
export interface ItemView {
  requestId: number;
  /** False for an entry that never was one, and cannot be asked again. */
  isCheck: boolean;
  /** The address or the keyword. */
  asked: string;
  /** An address to follow, or null. */
  href: string | null;
  /** What else was asked, such as the site to find. */
  context: string | null;
  answer: string;
  tone: 'good' | 'info' | 'warn' | 'bad' | 'mute';
  evidence: string[];
  /** Every address on the way, with what it answered. */
  trail: Array<{ status: string; url: string }>;
  checkedAt: Date;
}

type Told = Pick<ItemView, 'answer' | 'tone' | 'evidence'> & { trail?: ItemView['trail'] };

export function evidenceOf(item: ItemRow): ItemView {
  const { requestId, checkedAt } = item;
  const { asked, context } = askedOf(item);
  return {
    requestId,
    isCheck: item.error !== 'invalid_url',
    asked,
    href: /^https?:\/\//i.test(asked) ? asked : null,
    context,
    trail: [],
    checkedAt,
    ...tell(item),
  };
}

function tell(item: ItemRow): Told {
  if (item.state === 'failed') {
    const isInvalid = item.error === 'invalid_url';
    return {
      answer: isInvalid ? 'Not an address' : item.error === 'canceled' ? 'Canceled' : 'No answer',
      tone: 'mute',
      evidence: [String(itemBody(item).message)],
    };
  }
  switch (item.type) {
    case 'http':
      return tellStatus(item.outcome);
    case 'index':
      return tellIndex(item.outcome);
    case 'keyword':
      return tellRank(item.outcome);
  }
}

function tellStatus(answer: HttpStatusAnswer): Told {
  const { status, redirects, final_url: finalUrl, error, bot_wall: botWall } = answer;
  const evidence = [
    ...(error ? [httpErrorWords[error]] : []),
    ...(answer.is_soft404 ? ['The page says it is not there, although its status is 200.'] : []),
    ...(answer.is_soft404 ? answer.soft404_reasons.map(soft404InWords) : []),
    ...(botWall ? [`A bot wall answered instead of the page (${botWall}).`] : []),
    ...(redirects.length > 0 ? [redirectWords(redirects.length)] : []),
    ...remarksOf(answer),
    ...(status > 0 ? [`Answered in ${duration(answer.response_time_ms)}.`] : []),
  ];
  const way = redirects.map((hop) => ({ status: String(hop.status), url: hop.url }));
  const trail = way.length > 0 ? [...way, { status: status ? String(status) : '—', url: finalUrl }] : [];
  if (answer.is_soft404) return { answer: 'Soft 404', tone: 'warn', evidence, trail };
  if (status === 0) return { answer: 'No answer', tone: 'bad', evidence, trail };
  return { answer: `${status} ${STATUS_CODES[status] ?? ''}`.trim(), tone: toneOf(status), evidence, trail };
}

/** What the page says of itself that a search engine goes by. */
function remarksOf({ title, noindex, canonical, final_url: finalUrl }: HttpStatusAnswer): string[] {
  const isElsewhere = Boolean(canonical) && canonical !== finalUrl;
  return [
    ...(title ? [`Title: ${title}`] : []),
    ...(noindex
      ? [`Asks not to be indexed, in its ${noindex === 'header' ? 'headers' : 'robots meta tag'}.`]
      : []),
    ...(isElsewhere ? [`Names another address as its canonical one: ${canonical}`] : []),
  ];
}

function tellIndex(answer: IndexAnswer): Told {
  const source = sourceOf(answer);
  if (answer.is_indexed) {
    const how = answer.found_by === 'site' ? 'a site: search' : 'a search for the address';
    const shown =
      answer.match === 'exact' ? 'Google shows exactly this address' : `Google shows ${answer.matched_url}`;
    return { answer: 'Indexed', tone: 'good', evidence: [`${shown}, found by ${how}.`, source] };
  }
  const similar = answer.similar_url ? [`Google shows this one instead: ${answer.similar_url}`] : [];
  const looked = 'Neither a search for the address nor a site: search shows it.';
  return { answer: 'Not indexed', tone: 'bad', evidence: [...similar, looked, source] };
}

function tellRank(answer: RankAnswer): Told {
  const others = (answer.competitors ?? []).map(
    ({ url, rank }) => `${url}: ${rank === null ? 'not seen' : `#${rank}`}`,
  );
  const beside = others.length > 0 ? [`On the same pages, ${others.join(', ')}.`] : [];
  const source = sourceOf(answer);
  const pages = answer.pages_searched === 1 ? '1 page' : `${answer.pages_searched} pages`;
  if (answer.rank === null) {
    return {
      answer: 'Not found',
      tone: 'bad',
      evidence: [`Not among the results of ${pages}.`, ...beside, source],
    };
  }
  const where = answer.page === null ? '' : `Page ${answer.page}, position ${answer.position_on_page}: `;
  const place = `${where}${answer.ranked_url}`;
  const snippet = answer.featured_snippet_url ? [`Featured snippet: ${answer.featured_snippet_url}`] : [];
  const tone = answer.rank <= 10 ? 'good' : answer.rank <= 20 ? 'info' : 'warn';
  return { answer: `#${answer.rank}`, tone, evidence: [place, ...snippet, ...beside, source] };
}

interface Source {
  provider: string;
  simulated?: true;
  asked?: Array<{ query: string; results: number }>;
}

function sourceOf({ provider, simulated, asked = [] }: Source): string {
  if (simulated) return 'Invented by the sandbox.';
  const queries = asked.map(({ query, results }) => `“${query}” (${results} results)`);
  return `Read through ${provider}${queries.length > 0 ? `: ${queries.join(', then ')}` : ''}.`;
}

/** The address or the keyword, and what else was asked. */
function askedOf({ type, input }: ItemRow): { asked: string; context: string | null } {
  switch (type) {
    case 'http':
    case 'index':
      return { asked: input.url.trim(), context: null };
    case 'keyword': {
      const { keyword, target_url: target, country, language, device } = input;
      return { asked: (keyword ?? '').trim(), context: `${target} · ${country} · ${language} · ${device}` };
    }
  }
}

function redirectWords(count: number): string {
  return count === 1 ? 'Redirected once.' : `Redirected ${count} times.`;
}

function toneOf(status: number): ItemView['tone'] {
  if (status < 300) return 'good';
  if (status < 400) return 'info';
  return status < 600 ? 'bad' : 'warn';
}

const httpErrorWords: Record<HttpError, string> = {
  dns_not_found: 'The name does not exist: no address was found for it.',
  connect_refused: 'The server refuses connections.',
  connect_timeout: 'No connection came about in time, twice.',
  connection_reset: 'The server broke off the connection, twice.',
  response_timeout: 'The server took the request and did not answer in time, twice.',
  tls_error: 'The certificate or the encrypted connection is not right.',
  invalid_response: 'What came back is not HTTP.',
  redirect_loop: 'It leads back to where it was, again and again; this is the tenth redirect.',
  too_many_redirects: 'More than ten redirects; this is the last one.',
  invalid_redirect: 'It redirects to something that is not an address on the web.',
};
