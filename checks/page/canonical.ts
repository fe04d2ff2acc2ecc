import { parseUrl } from '../../net/url.ts';

/** URLs that a page declares, as written. */
export interface PageAddresses {
  base: string | null;
  canonical: string | null;
}

/** Resolves a URL of a page as browsers do: against its `<base href>`, else against the URL of the page. */
export function resolveOnPage(
  href: string,
  { base }: Pick<PageAddresses, 'base'>,
  finalUrl: string,
): URL | null {
  const baseUrl = base === null ? null : parseUrl(base, finalUrl);
  return parseUrl(href, baseUrl && isHttp(baseUrl) ? baseUrl.href : finalUrl);
}

/**
 * Returns the first canonical http or https URL of the page's head, else of its `Link` headers (RFC 8288), which files
 * other than HTML can have too. Returns null without one.
 */
export function findCanonical(
  page: PageAddresses | null,
  linkHeaders: readonly string[],
  finalUrl: string,
): URL | null {
  const ofPage = page?.canonical ? resolveOnPage(page.canonical, page, finalUrl) : null;
  const ofHeaders = linkHeaders
    .flatMap(parseLinks)
    .filter(({ parameters }) => isCanonical(parameters.get('rel') ?? '') && !parameters.has('anchor'))
    .map(({ target }) => parseUrl(target, finalUrl));
  return [ofPage, ...ofHeaders].find((url) => url !== null && isHttp(url)) ?? null;
}

/** Returns whether a `rel` contains the word `canonical`. */
export function isCanonical(rel: string): boolean {
  return rel.toLowerCase().split(/\s+/u).includes('canonical');
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

interface Link {
  target: string;
  /** By name, lower case; the first of each. */
  parameters: Map<string, string>;
}

const headerCharsMax = 4_000;
// An unclosed part extends to the end, so that no text is read twice.
const linkTokens = /<[^>]*>?|"(?:\\.|[^"\\])*"?|[=;,]|[^\s<"=;,]+/gu;

function parseLinks(header: string): Link[] {
  const links: Link[] = [];
  const tokens = header.slice(0, headerCharsMax).match(linkTokens) ?? [];
  for (const [at, token] of tokens.entries()) {
    const link = links.at(-1);
    if (token.startsWith('<')) links.push({ target: token.slice(1).replace('>', ''), parameters: new Map() });
    else if (link && tokens[at + 1] === '=' && tokens[at - 1] !== '=') {
      const name = token.toLowerCase();
      if (!link.parameters.has(name)) link.parameters.set(name, unquote(tokens[at + 2] ?? ''));
    }
  }
  return links;
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  return value.slice(1, value.endsWith('"') ? -1 : undefined).replaceAll(/\\(.)/gu, '$1');
}
