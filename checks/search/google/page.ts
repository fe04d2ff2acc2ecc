import { HTMLElement, parse } from 'node-html-parser';
import { ProviderError } from '../serp.ts';

/** Maximum size of a page, without `data:` URLs. */
const bytesMax = 3 * 1024 * 1024;
/**
 * Limits of the markup. Recorded pages contain at most 130 scripts, styles and comments. Without these, they have at
 * most 0.2 MiB of markup, 4,100 tags and 46 levels, and no unclosed tags. With 5,000 unclosed tags, the parser alone
 * took 130 ms.
 */
const markupCharsMax = 1024 * 1024;
const tagsMax = 13_000;
const hiddenMax = 13_000;
const depthMax = 250;
const unclosedMax = 1_000;

// `data:` URLs in attributes and styles, mostly pictures.
const dataAddress = /(["'(=;])data:[^"'\s<>()&]+/gi;
const voidTags = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const hidden = /<!--|<(script|style|noscript)\b/gi;
const hiddenEnds: Record<string, RegExp> = {
  script: /<\/script\s*>/gi,
  style: /<\/style\s*>/gi,
  noscript: /<\/noscript\s*>/gi,
};
const commentEnd = /-->/g;
const tagStart = /<(\/?)([a-z][a-z0-9-]*)/gi;

/**
 * Parses a result page without comments, scripts and styles. Checks the limits in one pass before parsing. A page at
 * these limits blocks the event loop for at most 50 ms. `data:` URLs are cut and do not count.
 *
 * Throws `ProviderError` (unreadable) for a page that is larger, deeper or more broken than Google's pages.
 */
export function parsePage(html: string, provider: string): HTMLElement {
  const light = html.replace(dataAddress, '$1data:');
  const refuse = (excess: string): never => {
    throw new ProviderError(provider, 'unreadable', `the page has ${excess}`);
  };
  if (Buffer.byteLength(light) > bytesMax) refuse('more than 3 MiB');
  const markup = removeHidden(light) ?? refuse(`more than ${hiddenMax} comments, scripts and styles`);
  const excess = findExcess(markup);
  if (excess !== null) refuse(excess);
  // The parser's default for unclosed tags, moving their children up, takes quadratic time.
  return parse(markup, { parseNoneClosedTags: true, closeAllByClosing: true, blockTextElements: {} });
}

/** Returns all elements below a node, in document order. One traversal replaces many selectors. */
export function descendantElements(node: HTMLElement, found: HTMLElement[] = []): HTMLElement[] {
  for (const child of childElements(node)) {
    found.push(child);
    descendantElements(child, found);
  }
  return found;
}

export function childElements(node: HTMLElement): HTMLElement[] {
  return node.childNodes.filter((child) => child instanceof HTMLElement);
}

/**
 * Removes scripts, because they are half of a page. Removes comments, because the parser would search for the end of an
 * unclosed comment again and again. Returns null if there are more than `hiddenMax` scripts, styles and comments.
 */
function removeHidden(html: string): string | null {
  const kept: string[] = [];
  let from = 0;
  hidden.lastIndex = 0;
  for (let start = hidden.exec(html); start !== null; start = hidden.exec(html)) {
    if (kept.push(html.slice(from, start.index)) > hiddenMax) return null;
    const end = hiddenEnds[start[1]?.toLowerCase() ?? ''] ?? commentEnd;
    end.lastIndex = hidden.lastIndex;
    from = end.test(html) ? end.lastIndex : html.length;
    hidden.lastIndex = from;
  }
  kept.push(html.slice(from));
  return kept.join('').replaceAll('<![CDATA[', '');
}

/**
 * Counts the nesting as the parser does. An end tag closes all tags since its start tag. An end tag without a start tag
 * closes no tag.
 */
function findExcess(markup: string): string | null {
  // The removal of a comment can join two halves to the start of another comment: `<!<!---->--`.
  if (markup.includes('<!--') || markup.includes('<![CDATA[')) return 'a comment or CDATA in two parts';
  if (markup.length > markupCharsMax) return 'more than 1 MiB of markup';
  const open: string[] = [];
  const openByName = new Map<string, number>();
  let tags = 0;
  let unclosed = 0;
  for (const [, slash, name = ''] of markup.matchAll(tagStart)) {
    if (++tags > tagsMax) return `more than ${tagsMax} tags`;
    if (voidTags.has(name)) continue;
    const count = openByName.get(name) ?? 0;
    if (slash === '') {
      if (open.push(name) > depthMax) return `tags more than ${depthMax} deep`;
      openByName.set(name, count + 1);
    } else if (count > 0) {
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        openByName.set(last, (openByName.get(last) ?? 1) - 1);
        if (last === name) break;
        if (++unclosed > unclosedMax) return `more than ${unclosedMax} unclosed tags`;
      }
    }
  }
  return null;
}
