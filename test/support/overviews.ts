import type { Answer, SeenRequest } from './provider.ts';
import type { ProviderFormat } from './replies.ts';
import { type Pages, queryIn, readPageNumber } from './simulated-google.ts';

/**
 * How Google shows an AI Overview. `later`: the first reply has only a token or a placeholder, and the contents come on
 * request. `expired`: they do not come. `hidden`: its sources are tokens instead of URLs. `raw`: openserp reports no
 * blocks.
 */
export type OverviewCase = 'inline' | 'later' | 'expired' | 'placeholder' | 'hidden' | 'none' | 'raw';

export interface OverviewGoogle {
  /** Results by query. */
  pages(query: string): Pages;
  overview(query: string, device: 'desktop' | 'mobile'): OverviewCase;
  /** URLs of the sources. */
  sources(query: string): string[];
}

type Body = Record<string, unknown>;

const questions = { type: 'people_also_ask', items: [{ title: 'Why red?' }], confidence: 0.8 };

const hiddenUrl = (index: number) => `https://www.google.com/goto?url=CAES${index}${'x'.repeat(30)}`;

/** Answers requests of one provider with results and an AI Overview in its format. Tokens work once. */
export function answerWithOverview(
  format: ProviderFormat,
  google: OverviewGoogle,
): (request: SeenRequest) => Answer {
  const tokens = new Map<string, string>();
  let issued = 0;
  const issueToken = (kind: OverviewCase, query: string) => {
    const token = `${kind}-${issued++} ${query}`;
    tokens.set(token, query);
    return token;
  };
  const { name } = format.source;
  return (request) => {
    const token = request.url.searchParams.get('page_token');
    if (token !== null) return { body: byToken(google, tokens, token) };
    const query = queryIn(name, request);
    const page = readPageNumber(name, request) ?? 1;
    const kind = google.overview(query, deviceIn(name, request));
    const reply = format.reply(query, google.pages(query)[page - 1] ?? []);
    if (page > 1 || kind === 'raw') return { body: reply };
    if (kind === 'none')
      return { body: name === 'openserp' ? { ...reply, serp_features: [questions] } : reply };
    const links = google
      .sources(query)
      .map((url, index) => (kind === 'hidden' ? hiddenUrl(index) : `${url}#:~:text=word`));
    return {
      body: withOverview({ name, request, reply, kind, links, issueToken: () => issueToken(kind, query) }),
    };
  };
}

interface Shown {
  name: string;
  request: SeenRequest;
  reply: Body;
  kind: OverviewCase;
  links: string[];
  issueToken(): string;
}

const text = 'Red shoes **are** <b>shoes</b> that are red.';

function withOverview({ name, request, reply, kind, links, issueToken }: Shown): Body {
  const isPlaceholder = kind === 'placeholder';
  switch (name) {
    case 'serpapi': {
      const overview =
        kind === 'later' || kind === 'expired'
          ? { page_token: issueToken(), serpapi_link: 'https://serpapi.com/search' }
          : isPlaceholder
            ? { error: 'no contents' }
            : serpApiOverview(links);
      return { ...reply, ai_overview: overview };
    }
    case 'brightdata': {
      const isAsked = new URL(JSON.parse(request.body).url).searchParams.get('brd_ai_overview') === '2';
      if (!isAsked && kind !== 'inline') return reply;
      const references = links.map((href) => ({ href, title: 'A page. Opens in new tab.' }));
      return {
        ...reply,
        ai_overview: { texts: [{ snippet: text }], references: isPlaceholder ? [] : references },
      };
    }
    case 'dataforseo': {
      const [task] = JSON.parse(request.body);
      const isLoaded = kind === 'inline' || task.load_async_ai_overview === true;
      const references = links.map((url) => ({ url, domain: new URL(url).hostname, title: 'A page' }));
      const contents = { markdown: `# ${text}`, items: [{ type: 'ai_overview_element', text }], references };
      const item = {
        ...{ type: 'ai_overview', rank_group: 1, rank_absolute: 1, asynchronous_ai_overview: true },
        ...(isLoaded && kind !== 'expired' && !isPlaceholder ? contents : { items: null, references: null }),
      };
      // Only the advanced form has the overview.
      const tasks = reply.tasks as { result: { items: object[] }[] | null }[];
      if (request.url.pathname.endsWith('/advanced')) tasks[0]?.result?.[0]?.items.unshift(item);
      return reply;
    }
    case 'openserp': {
      if (request.url.searchParams.get('features') !== 'true') return reply;
      const summary = { type: 'ai_summary', text, links: links.map((url) => ({ url, title: 'A page' })) };
      return { ...reply, serp_features: [{ ...summary, confidence: isPlaceholder ? 0.5 : 0.75 }, questions] };
    }
    default:
      return reply;
  }
}

function serpApiOverview(links: string[]): Body {
  return {
    text_blocks: [
      { type: 'paragraph', snippet: text },
      { type: 'list', list: [{ snippet: 'One' }] },
    ],
    references: links.map((link, index) => ({ link, title: 'A page', source: 'Shop', index })),
  };
}

function byToken(google: OverviewGoogle, tokens: Map<string, string>, token: string): Body {
  const query = token.startsWith('expired') ? undefined : tokens.get(token);
  tokens.delete(token);
  const head = { search_metadata: { status: 'Success' } };
  if (query === undefined) return { ...head, error: 'The page token has expired.' };
  return { ...head, ai_overview: serpApiOverview(google.sources(query)) };
}

function deviceIn(name: string, { url, body }: SeenRequest): 'desktop' | 'mobile' {
  const device = {
    brightdata: () =>
      new URL(JSON.parse(body).url).searchParams.get('brd_mobile') === '1' ? 'mobile' : 'desktop',
    serpapi: () => url.searchParams.get('device'),
    dataforseo: () => JSON.parse(body)[0].device,
  }[name];
  return device?.() === 'mobile' ? 'mobile' : 'desktop';
}
