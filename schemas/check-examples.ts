const indexAnswer = {
  is_indexed: true,
  engine: 'google',
  match: 'exact',
  matched_url: 'https://example.com/shoes',
  found_by: 'url',
  similar_url: null,
  provider: 'serper',
};

const httpAnswer = {
  status: 200,
  is_soft404: true,
  initial_status: 301,
  redirect_count: 1,
  redirects: [{ url: 'https://example.com/old', status: 301 }],
  final_url: 'https://example.com/missing',
  response_time_ms: 184,
  content_type: 'text/html; charset=utf-8',
  soft404_checked: true,
  soft404_reasons: ['title_not_found', 'heading_not_found', 'short_text'],
  bot_wall: null,
  title: 'Page not found – Example',
  canonical: null,
  noindex: null,
  error: null,
};

const rankQuery = {
  keyword: 'running shoes',
  target_url: 'example.com',
  country: 'US',
  language: 'en',
  device: 'desktop',
  start_page: 1,
  end_page: 10,
  match: 'site',
  tag: null,
};

const rankAnswer = {
  found: true,
  rank: 23,
  ranked_url: 'https://example.com/shoes',
  page: 3,
  position_on_page: 3,
  pages_searched: 3,
  featured_snippet_url: null,
  provider: 'serper',
};

/** Simulated answers for the documentation and for test webhooks. Test webhooks show only the first example. */
export const indexExamples = {
  indexed: {
    input: { url: 'https://example.com/shoes' },
    answer: indexAnswer,
    tally: ['indexed'],
  },
  'not indexed': {
    input: { url: 'https://example.com/shoes' },
    answer: {
      ...indexAnswer,
      is_indexed: false,
      match: null,
      matched_url: null,
      found_by: null,
      similar_url: 'https://example.com/shoes?color=red',
    },
    tally: ['not_indexed'],
  },
};

export const httpExamples = {
  'soft 404': {
    input: { url: 'https://example.com/old' },
    answer: httpAnswer,
    tally: ['status_2xx', 'redirected', 'soft404'],
  },
  dead: {
    input: { url: 'https://gone.example/' },
    answer: {
      ...httpAnswer,
      status: 0,
      is_soft404: false,
      initial_status: 0,
      redirect_count: 0,
      redirects: [],
      final_url: 'https://gone.example/',
      content_type: null,
      soft404_checked: false,
      soft404_reasons: [],
      title: null,
      error: 'dns_not_found',
    },
    tally: ['unreachable'],
  },
};

export const rankExamples = {
  found: { input: rankQuery, answer: rankAnswer, tally: ['ranked', 'top_100'] },
  'with an AI Overview': {
    input: { ...rankQuery, include: ['features', 'ai_overview'] },
    answer: {
      ...rankAnswer,
      provider: 'serpapi',
      features: [
        { type: 'ai_overview', position: null, owned: true, urls: ['https://example.com/guide'] },
        { type: 'people_also_ask', position: null, owned: false, urls: ['https://other.example/shoes'] },
      ],
      features_visible: ['ai_overview', 'featured_snippet', 'people_also_ask', 'local_pack'],
      ai_overview: {
        state: 'shown',
        cited: true,
        cited_url: 'https://example.com/guide',
        citation: 1,
        sources: [
          { position: 1, url: 'https://example.com/guide', title: 'How to choose', source: 'Example' },
        ],
        text: 'Running shoes should fit.',
      },
    },
    tally: ['ranked', 'top_100'],
  },
  'not found': {
    input: rankQuery,
    answer: {
      ...rankAnswer,
      found: false,
      rank: null,
      ranked_url: null,
      page: null,
      position_on_page: null,
      pages_searched: 10,
    },
    tally: ['not_ranked'],
  },
};
