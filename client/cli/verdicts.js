/** Whether a result is what one hopes for, by type of batch. Failures are no results. */
export const isGood = {
  http: ({ status, is_soft404 }) => status >= 200 && status < 400 && !is_soft404,
  index: ({ is_indexed }) => is_indexed,
  keyword: ({ found }) => found,
};

/** The columns of the table on a terminal. */
export const tableColumns = {
  http: {
    Address: ({ url }) => url,
    Status: ({ status }) => status,
    'Soft 404': ({ is_soft404 }) => (is_soft404 ? 'yes' : ''),
    Remark: ({ url, error, bot_wall, redirect_count, final_url }) =>
      error ?? bot_wall ?? (redirect_count > 0 && final_url !== url ? `→ ${final_url}` : ''),
  },
  index: {
    Address: ({ url }) => url,
    Indexed: ({ is_indexed }) => (is_indexed === undefined ? '' : is_indexed ? 'yes' : 'no'),
    Remark: ({ error, similar_url }) => error ?? (similar_url ? `Google shows ${similar_url}` : ''),
  },
  keyword: {
    Keyword: ({ keyword }) => keyword,
    Target: ({ target_url }) => target_url,
    Rank: ({ found, rank }) => (found === undefined ? '' : (rank ?? 'none')),
    Address: ({ error, ranked_url }) => error ?? ranked_url ?? '',
  },
};

/** The columns of a CSV: every field of an item, in one order whatever the first item was. */
export const csvColumns = {
  http: [
    ...['url', 'state', 'status', 'is_soft404', 'error', 'message', 'initial_status', 'redirect_count'],
    ...['final_url', 'content_type', 'response_time_ms', 'soft404_checked', 'soft404_reasons', 'bot_wall'],
    ...['redirects', 'request_id', 'credits', 'checked_at'],
  ],
  index: [
    ...['url', 'state', 'is_indexed', 'error', 'message', 'match', 'matched_url', 'found_by', 'similar_url'],
    ...['engine', 'provider', 'simulated', 'request_id', 'credits', 'checked_at'],
  ],
  keyword: [
    ...['keyword', 'target_url', 'state', 'found', 'rank', 'ranked_url', 'error', 'message', 'page'],
    ...['position_on_page', 'pages_searched', 'featured_snippet_url', 'country', 'language', 'device'],
    ...[
      'start_page',
      'end_page',
      'match',
      'tag',
      'provider',
      'simulated',
      'request_id',
      'credits',
      'checked_at',
    ],
  ],
};
