/** Returns whether a result is good, by type of batch. Failed items are neither good nor bad. */
export const isGood = {
  http: ({ status, is_soft404 }) => status >= 200 && status < 400 && !is_soft404,
  index: ({ is_indexed }) => is_indexed,
  keyword: ({ found }) => found,
};

/** Returns a competitor's rank, `not_ranked`, or `not_searched` if reading stopped before the last page. */
export function competitorRank({ rank }, result) {
  const { start_page: from, end_page: to, pages_searched: pages, found, full } = result;
  const isReadToTheEnd = full || !found || from + pages - 1 >= to;
  return rank ?? (isReadToTheEnd ? 'not_ranked' : 'not_searched');
}

function overviewCell(overview) {
  if (!overview) return '';
  const { state, cited, citation } = overview;
  if (cited === null) return state.replace('_', ' ');
  return cited ? `cited, source ${citation}` : 'not cited';
}

/** Columns of the table on a terminal. */
export const tableColumns = {
  http: {
    URL: ({ url }) => url,
    Status: ({ status }) => status,
    'Soft 404': ({ is_soft404 }) => (is_soft404 ? 'yes' : ''),
    Note: ({ url, error, bot_wall, redirect_count, final_url }) =>
      error ?? bot_wall ?? (redirect_count > 0 && final_url !== url ? `→ ${final_url}` : ''),
  },
  index: {
    URL: ({ url }) => url,
    Indexed: ({ is_indexed }) => (is_indexed === undefined ? '' : is_indexed ? 'yes' : 'no'),
    Note: ({ error, similar_url }) => error ?? (similar_url ? `Google shows ${similar_url}` : ''),
  },
  keyword: {
    Keyword: ({ keyword }) => keyword,
    Target: ({ target_url }) => target_url,
    Rank: ({ found, rank }) => (found === undefined ? '' : (rank ?? 'not ranked')),
    'Ranked URL': ({ error, ranked_url }) => error ?? ranked_url ?? '',
    'AI Overview': ({ ai_overview: overview }) => overviewCell(overview),
    Competitors: (result) =>
      (result.competitors ?? []).map((one) => `${one.url} ${competitorRank(one, result)}`).join('; '),
  },
};

/** Columns of the CSV, the same as in `results.csv` of the service: these, the competitors, `commonCsvColumns`. */
export const csvColumns = {
  http: [
    ...['url', 'state', 'status', 'is_soft404', 'initial_status', 'redirect_count', 'redirects'],
    ...['redirects_cut', 'final_url', 'content_type', 'response_time_ms', 'soft404_checked'],
    ...['soft404_reasons', 'bot_wall', 'title', 'canonical', 'noindex', 'simulated', 'error_detail'],
  ],
  index: [
    ...['url', 'state', 'is_indexed', 'engine', 'match', 'matched_url', 'found_by', 'similar_url'],
    ...['provider', 'simulated'],
  ],
  keyword: [
    ...['keyword', 'target_url', 'country', 'language', 'location', 'device', 'start_page', 'end_page'],
    ...['match', 'tag', 'full', 'include', 'state', 'found', 'rank', 'ranked_url', 'page'],
    ...['position_on_page', 'pages_searched', 'featured_snippet_url', 'provider'],
    ...['features', 'ai_overview', 'ai_cited', 'simulated'],
  ],
};

export const commonCsvColumns = ['error', 'message', 'credits', 'request_id', 'checked_at', 'reference'];
