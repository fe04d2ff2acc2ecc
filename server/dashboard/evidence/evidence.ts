import type { BatchRow } from '../../../db/batches/batches.ts';
import type { ItemRow } from '../../../db/batches/items.ts';
import type { IndexAnswer } from '../../../schemas/check.ts';
import { getCompetitorRank } from '../../../schemas/competitor-rank.ts';
import type { AiOverview } from '../../../schemas/features.ts';
import type { RankAnswer, RankQuery } from '../../../schemas/keyword.ts';
import { itemBody } from '../../../wire/bodies.ts';
import { competitorLabel, counted, searchLabel, shortUrl } from '../format.ts';
import type { Tone } from './shares.ts';
import { type AnswerView, describeStatus } from './status-evidence.ts';

export interface ItemView extends AnswerView {
  requestId: number;
  /** False for an invalid input, which cannot be checked again. */
  isCheck: boolean;
  /** The URL or keyword. */
  asked: string;
  /** The URL as a link; null for a keyword or an invalid URL. */
  href: string | null;
  /** Path of the page with all checks of the URL; null for a keyword or an invalid URL. */
  history: string | null;
  /** Path of the page of the results of a rank check; null if it asked for neither results nor an AI Overview. */
  resultsPage: string | null;
  /** The other inputs of a rank check, such as the site to find; null for other types. */
  context: string | null;
  checkedAt: Date;
}

type ItemBatch = Pick<Partial<BatchRow>, 'isTest'>;

export function toItemView(item: ItemRow, batch: ItemBatch = {}): ItemView {
  const { requestId, checkedAt } = item;
  const { asked, context } = readInput(item);
  const isAddress = /^https?:\/\//i.test(asked);
  return {
    requestId,
    isCheck: item.error !== 'invalid_url',
    asked,
    href: isAddress ? asked : null,
    history: isAddress && item.type !== 'keyword' ? `/address?${new URLSearchParams({ url: asked })}` : null,
    resultsPage: toResultsPagePath(item),
    context,
    checkedAt,
    ...describe(item, batch),
  };
}

/**
 * Turns items into rows. `shared` is the source if all items have the same source. Otherwise, each row names its
 * source.
 */
export function toItemViews(items: ItemRow[], batch: ItemBatch): { rows: ItemView[]; shared: string | null } {
  const rows = items.map((item) => toItemView(item, batch));
  const sources = new Set(rows.flatMap(({ source }) => source ?? []));
  const [only] = sources;
  if (sources.size < 2) return { rows, shared: only ?? null };
  return {
    rows: rows.map((row) => (row.source ? { ...row, evidence: [...row.evidence, row.source] } : row)),
    shared: null,
  };
}

/**
 * Turns an item into a row for narrow tables. The evidence also has the found URL, redirects and source. With
 * `hidesProvider`, it does not name the search provider.
 */
export function toDetailedItemView(
  item: ItemRow,
  batch: ItemBatch = {},
  { hidesProvider = false } = {},
): ItemView {
  const { evidence, found, hops, ms, source, ...row } = toItemView(item, batch);
  const redirects = hops ? [hops === 1 ? 'Redirected once.' : `Redirected ${hops} times.`] : [];
  const isSourceShown = source && (!hidesProvider || source === simulated);
  const all = [...(found ? [found] : []), ...evidence, ...redirects, ...(isSourceShown ? [source] : [])];
  return { ...row, evidence: all, found, hops, ms };
}

function toResultsPagePath({ requestId, type, state, input }: ItemRow): string | null {
  if (type !== 'keyword' || state !== 'success') return null;
  const isAsked = input.include?.some((part) => part === 'results' || part === 'ai_overview') ?? false;
  return isAsked ? `/checks/${requestId}` : null;
}

const noDetails = { redirects: [], found: null, hops: null, ms: null };

function describe(item: ItemRow, batch: ItemBatch): AnswerView {
  if (item.state === 'failed') {
    const [answer, tone] = failureLabels[item.error] ?? ['Not checked', 'mute'];
    return { ...noDetails, answer, tone, evidence: [String(itemBody(item, batch).message)] };
  }
  switch (item.type) {
    case 'http':
      return describeStatus(item.outcome);
    case 'index':
      return { ...noDetails, ...describeIndex(item.outcome) };
    case 'keyword':
      return { ...noDetails, ...describeRank(item.outcome, item.input) };
  }
}

const failureLabels: Partial<Record<string, [answer: string, tone: Tone]>> = {
  invalid_url: ['Skipped', 'faint'],
  canceled: ['Canceled', 'faint'],
};

type SearchAnswer = Pick<AnswerView, 'answer' | 'tone' | 'evidence' | 'source'> & { found?: string | null };

function describeIndex(answer: IndexAnswer): SearchAnswer {
  const source = describeSource(answer);
  if (answer.is_indexed) {
    const how = answer.found_by === 'site' ? 'a site: search' : 'a search for the URL';
    const isExact = answer.match === 'exact';
    const shown = isExact ? 'Google shows exactly this URL' : 'Google shows it under another URL';
    return {
      answer: 'Indexed',
      tone: 'good',
      evidence: [`${shown}, found by ${how}.`, ...describeSearches(answer)],
      found: isExact ? null : answer.matched_url,
      source,
    };
  }
  const similar = answer.similar_url ? ['Google shows another URL instead.'] : [];
  const looked = 'Neither a search for the URL nor a site: search found the URL.';
  return {
    answer: 'Not indexed',
    tone: 'warn',
    evidence: [...similar, looked, ...describeSearches(answer)],
    found: answer.similar_url,
    source,
  };
}

function describeRank(answer: RankAnswer, query: RankQuery): SearchAnswer {
  const others = (answer.competitors ?? []).map(
    (one) => `${shortUrl(one.url)} ${competitorLabel(getCompetitorRank(one, answer, query))}`,
  );
  const competitors = others.length > 0 ? [`Competitors: ${others.join(', ')}.`] : [];
  const more = [...competitors, ...describePage(answer), ...describeSearches(answer)];
  const source = describeSource(answer);
  if (answer.rank === null) {
    const evidence = [`Not among the results of ${counted(answer.pages_searched, 'page')}.`, ...more];
    return { answer: 'Not ranked', tone: 'warn', evidence, source };
  }
  const { page, position_on_page: position } = answer;
  const place = page === null ? [] : [`Page ${page}, position ${position}.`];
  const snippet = answer.featured_snippet_url ? [`Featured snippet: ${answer.featured_snippet_url}`] : [];
  const evidence = [...place, ...snippet, ...more];
  const tone = rankTone(answer.rank);
  return { answer: `#${answer.rank}`, tone, evidence, found: answer.ranked_url, source };
}

function describePage(answer: RankAnswer): string[] {
  const { ai_overview: overview } = answer;
  const features = describeFeatures(answer);
  return [...(overview ? [describeOverview(overview)] : []), ...(features ? [features] : [])];
}

/** Lists the blocks of the first page; null if the query did not ask for them or the page has none. */
export function describeFeatures({ features = [] }: RankAnswer): string | null {
  const named = features.map(({ type, owned }) => {
    const name = type.replaceAll('_', ' ').replace(/^ai overview$/, 'AI Overview');
    return owned ? `${name} (with the target)` : name;
  });
  return named.length > 0 ? `On the page: ${named.join(', ')}.` : null;
}

export function describeOverview({ state, cited, cited_url: url, citation }: AiOverview): string {
  switch (state) {
    case 'shown':
      return cited
        ? `The AI Overview cites ${url} as source ${citation}.`
        : `The AI Overview ${cited === null ? 'may or may not' : 'does not'} cite the target.`;
    case 'not_shown':
      return 'Google shows no AI Overview.';
    case 'unread':
      return 'Google shows an AI Overview, but its sources could not be read.';
    case 'unknown':
      return 'It is not known whether Google shows an AI Overview.';
  }
}

/** Returns a tone for ranks 1 to 3, for 4 to 10, for 11 to 20, and for lower ranks. */
export function rankTone(rank: number): Tone {
  if (rank <= 3) return 'good';
  if (rank <= 10) return 'soft';
  return rank <= 20 ? 'info' : 'low';
}

interface Source {
  provider: string;
  simulated?: true;
  asked?: Array<{ query: string; results: number }>;
}

const simulated = 'Simulated by the sandbox.';

function describeSource({ provider, simulated: isSimulated }: Source): string {
  return isSimulated ? simulated : `Source: ${provider}.`;
}

function describeSearches({ asked = [], simulated }: Source): string[] {
  if (simulated || asked.length === 0) return [];
  const queries = asked.map(({ query, results }) => `“${query}” (${counted(results, 'result')})`);
  return [`Searches: ${queries.join(', then ')}.`];
}

function readInput({ type, input }: ItemRow): { asked: string; context: string | null } {
  switch (type) {
    case 'http':
    case 'index':
      return { asked: input.url.trim(), context: null };
    case 'keyword': {
      const { keyword, target_url: target } = input;
      return { asked: (keyword ?? '').trim(), context: `${target} · ${searchLabel(input)}` };
    }
  }
}
