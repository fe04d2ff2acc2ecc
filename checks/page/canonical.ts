import { parseUrl } from '../../net/url.ts';

/** URLs as the page declares them, not resolved. */
interface PageAddresses {
  base: string | null;
  canonical: string | null;
}

/** Resolves a URL of a page against the `<base href>`, or against the URL of the page if the page has no base. */
export function resolveOnPage(
  href: string,
  { base }: Pick<PageAddresses, 'base'>,
  finalUrl: string,
): URL | null {
  const baseUrl = base === null ? null : parseUrl(base, finalUrl);
  return parseUrl(href, baseUrl && isHttp(baseUrl) ? baseUrl.href : finalUrl);
}

/**
 * Returns the canonical URL in the page's head. If the head has no canonical URL, returns the first canonical URL in
 * the `Link` headers (RFC 8288), which a PDF can also have. Ignores URLs other than http and https. Returns null if no
 * URL is found.
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

export function isCanonical(rel: string): boolean {
  return rel.toLowerCase().split(/\s+/u).includes('canonical');
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

interface Link {
  target: string;
  /** By name, lower case. Only the first parameter of a name is kept. */
  parameters: Map<string, string>;
}

const headerCharsMax = 4_000;
// An unclosed part extends to the end of the header, so that no text is read twice.
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
