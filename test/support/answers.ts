import type { AnswerOf, InputOf } from '../../schemas/check-types.ts';

/** The answer for a page that exists, with changes. */
export function httpAnswer(over: Partial<AnswerOf<'http'>> = {}): AnswerOf<'http'> {
  return {
    status: 200,
    is_soft404: false,
    initial_status: over.status ?? 200,
    redirect_count: 0,
    redirects: [],
    final_url: 'https://example.com/shoes',
    content_type: 'text/html',
    response_time_ms: 12,
    soft404_checked: true,
    soft404_reasons: [],
    bot_wall: null,
    title: 'Shoes',
    canonical: null,
    noindex: null,
    error: null,
    ...over,
  };
}

/** The answer of an index check. */
export function indexAnswer(isIndexed: boolean, url = 'https://example.com/shoes'): AnswerOf<'index'> {
  return {
    is_indexed: isIndexed,
    engine: 'google',
    match: isIndexed ? 'exact' : null,
    matched_url: isIndexed ? url : null,
    found_by: isIndexed ? 'url' : null,
    similar_url: null,
    provider: 'serper',
  };
}

/** A query as it is stored. */
export function rankQuery(over: Partial<InputOf<'keyword'>> = {}): InputOf<'keyword'> {
  return {
    keyword: 'running shoes',
    target_url: 'example.com',
    country: 'US',
    language: 'en',
    device: 'desktop',
    start_page: 1,
    end_page: 10,
    match: 'site',
    tag: null,
    ...over,
  };
}

/** The answer of a rank check. `rank` null: not found on `pages` pages with `results` results. */
export function rankAnswer(
  rank: number | null,
  {
    pages = 10,
    results = 100,
    landing = 'https://example.com/shoes',
    competitors,
  }: { pages?: number; results?: number; landing?: string } & Pick<AnswerOf<'keyword'>, 'competitors'> = {},
): AnswerOf<'keyword'> {
  return {
    found: rank !== null,
    rank,
    ranked_url: rank === null ? null : landing,
    page: rank === null ? null : Math.ceil(rank / 10),
    position_on_page: rank === null ? null : ((rank - 1) % 10) + 1,
    pages_searched: pages,
    featured_snippet_url: null,
    provider: 'serper',
    asked: [{ query: 'running shoes', provider: 'serper', results }],
    ...(competitors ? { competitors } : {}),
  };
}
