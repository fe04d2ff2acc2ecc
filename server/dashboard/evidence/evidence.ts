import type { BatchRow } from '../../../db/batches/batches.ts';
import type { ItemRow } from '../../../db/batches/items.ts';
import type { IndexAnswer } from '../../../schemas/check.ts';
import { competitorStanding } from '../../../schemas/competitor-standing.ts';
import type { RankAnswer, RankQuery } from '../../../schemas/keyword.ts';
import { itemBody } from '../../../wire/bodies.ts';
import { competitorLabel } from '../format.ts';
import type { Tone } from './shares.ts';
import { tellStatus } from './status-evidence.ts';
import type { Told } from './told.ts';

/** An item as a row: what was asked, what came of it, and why we say so. */
export interface ItemView extends Told {
  requestId: number;
  /** False for an entry that never was one, and cannot be asked again. */
  isCheck: boolean;
  /** The address or the keyword. */
  asked: string;
  /** An address to follow, or null. */
  href: string | null;
  /** The page of all that was found at it; null for what is no address. */
  history: string | null;
  /** What else was asked, such as the site to find. */
  context: string | null;
  checkedAt: Date;
}

/** What an item is of: a batch, or nothing that would tell. */
type Of = Pick<Partial<BatchRow>, 'isTest'>;

export function evidenceOf(item: ItemRow, of: Of = {}): ItemView {
  const { requestId, checkedAt } = item;
  const { asked, context } = askedOf(item);
  const isAddress = /^https?:\/\//i.test(asked);
  return {
    requestId,
    isCheck: item.error !== 'invalid_url',
    asked,
    href: isAddress ? asked : null,
    history: isAddress && item.type !== 'keyword' ? `/address?${new URLSearchParams({ url: asked })}` : null,
    context,
    checkedAt,
    ...tell(item, of),
  };
}

/**
 * Rows of a table, with what all answers in it have in common said once: where they come from. Rows of several sources
 * each say theirs.
 */
export function evidenceOfAll(items: ItemRow[], of: Of): { rows: ItemView[]; shared: string | null } {
  const rows = items.map((item) => evidenceOf(item, of));
  const sources = new Set(rows.flatMap(({ source }) => source ?? []));
  const [only] = sources;
  if (sources.size < 2) return { rows, shared: only ?? null };
  return {
    rows: rows.map((row) => (row.source ? { ...row, evidence: [...row.evidence, row.source] } : row)),
    shared: null,
  };
}

/** The same where only how long it took has a column: all else that is known, in sentences. */
export function evidenceInFull(item: ItemRow, of: Of = {}): ItemView {
  const { evidence, found, hops, ms, source, ...row } = evidenceOf(item, of);
  const way = hops ? [hops === 1 ? 'Redirected once.' : `Redirected ${hops} times.`] : [];
  const all = [...(found ? [found] : []), ...evidence, ...way, ...(source ? [source] : [])];
  return { ...row, evidence: all, found, hops, ms };
}

const nowhere = { trail: [], found: null, hops: null, ms: null };

function tell(item: ItemRow, of: Of): Told {
  if (item.state === 'failed') {
    const [answer, tone] = unanswered[item.error] ?? ['Not checked', 'mute'];
    return { ...nowhere, answer, tone, evidence: [String(itemBody(item, of).message)] };
  }
  switch (item.type) {
    case 'http':
      return tellStatus(item.outcome);
    case 'index':
      return { ...nowhere, ...tellIndex(item.outcome) };
    case 'keyword':
      return { ...nowhere, ...tellRank(item.outcome, item.input) };
  }
}

const unanswered: Partial<Record<string, [answer: string, tone: Tone]>> = {
  invalid_url: ['Skipped', 'faint'],
  canceled: ['Canceled', 'faint'],
};

type ToldOfGoogle = Pick<Told, 'answer' | 'tone' | 'evidence' | 'source'> & { found?: string | null };

function tellIndex(answer: IndexAnswer): ToldOfGoogle {
  const source = sourceOf(answer);
  if (answer.is_indexed) {
    const how = answer.found_by === 'site' ? 'a site: search' : 'a search for the address';
    const isExact = answer.match === 'exact';
    const shown = isExact ? 'Google shows exactly this address' : 'Google shows it under another address';
    return {
      answer: 'Indexed',
      tone: 'good',
      evidence: [`${shown}, found by ${how}.`, ...askedIn(answer)],
      found: isExact ? null : answer.matched_url,
      source,
    };
  }
  const similar = answer.similar_url ? ['Google shows another address instead.'] : [];
  const looked = 'Neither a search for the address nor a site: search shows it.';
  return {
    answer: 'Not indexed',
    tone: 'warn',
    evidence: [...similar, looked, ...askedIn(answer)],
    found: answer.similar_url,
    source,
  };
}

function tellRank(answer: RankAnswer, query: RankQuery): ToldOfGoogle {
  const others = (answer.competitors ?? []).map(
    (one) => `${one.url}: ${competitorLabel(competitorStanding(one, answer, query))}`,
  );
  const beside = others.length > 0 ? [`On the same pages, ${others.join(', ')}.`] : [];
  const more = [...beside, ...askedIn(answer)];
  const source = sourceOf(answer);
  const pages = answer.pages_searched === 1 ? '1 page' : `${answer.pages_searched} pages`;
  if (answer.rank === null) {
    const evidence = [`Not among the results of ${pages}.`, ...more];
    return { answer: 'Not found', tone: 'warn', evidence, source };
  }
  const { page, position_on_page: position } = answer;
  const place = page === null ? [] : [`Page ${page}, position ${position}.`];
  const snippet = answer.featured_snippet_url ? [`Featured snippet: ${answer.featured_snippet_url}`] : [];
  const evidence = [...place, ...snippet, ...more];
  return { answer: `#${answer.rank}`, tone: toneOf(answer.rank), evidence, found: answer.ranked_url, source };
}

function toneOf(rank: number): Tone {
  if (rank <= 3) return 'good';
  if (rank <= 10) return 'soft';
  return rank <= 20 ? 'info' : 'low';
}

interface Source {
  provider: string;
  simulated?: true;
  asked?: Array<{ query: string; results: number }>;
}

function sourceOf({ provider, simulated }: Source): string {
  return simulated ? 'Invented by the sandbox.' : `Read through ${provider}.`;
}

function askedIn({ asked = [], simulated }: Source): string[] {
  if (simulated || asked.length === 0) return [];
  const queries = asked.map(({ query, results }) => `“${query}” (${results} results)`);
  return [`Asked: ${queries.join(', then ')}.`];
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
