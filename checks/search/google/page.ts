import { HTMLElement, parse } from 'node-html-parser';
import { ProviderError } from '../serp.ts';

/** Without addresses that hold their content themselves. */
const bytesMax = 3 * 1024 * 1024;
/**
 * The largest page recorded has 100 results, 0.7 MiB of markup and 14,500 tags, one of today's ten results
 * less than half; the deepest is 60 deep, none leaves more than six tags open. With 5,000 unclosed tags the
 * parser alone took 130 ms.
 */
const markupCharsMax = 1024 * 1024;
const tagsMax = 13_000;
const depthMax = 250;
const unclosedMax = 1_000;

// Pictures, mostly, in attributes and in styles. What is no part of them is left where it stands.
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
 * A result page as a tree, without comments, scripts and styles.
 *
 * Errors: `ProviderError` (unreadable) for a page too large, too deep or too broken to be Google's, told in
 * one pass before the parser sees it: a page at these limits holds the event loop for at most 50 ms.
 * Addresses that hold their content themselves (`data:`) are cut to that word and do not count.
 */
export function parsePage(html: string, provider: string): HTMLElement {
  const light = html.replace(dataAddress, '$1data:');
  const markup = withoutHidden(light);
  const excess = Buffer.byteLength(light) > bytesMax ? 'more than 3 MiB' : findExcess(markup);
  if (excess !== null) throw new ProviderError(provider, 'unreadable', `the page has ${excess}`);
  // Unclosed tags stay where they are: moving their children up, the parser's default, is quadratic.
  return parse(markup, { parseNoneClosedTags: true, closeAllByClosing: true, blockTextElements: {} });
}

/** Every element below a node, in document order; one walk in place of many selectors. */
export function elementsWithin(node: HTMLElement, found: HTMLElement[] = []): HTMLElement[] {
  for (const child of elementsOf(node)) {
    found.push(child);
    elementsWithin(child, found);
  }
  return found;
}

/** The elements directly under a node. */
export function elementsOf(node: HTMLElement): HTMLElement[] {
  return node.childNodes.filter((child) => child instanceof HTMLElement);
}

/**
 * Half of a result page is script; and the parser looks for the end of a comment anew from each of their
 * starts.
 */
function withoutHidden(html: string): string {
  const kept: string[] = [];
  let from = 0;
  hidden.lastIndex = 0;
  for (let start = hidden.exec(html); start !== null; start = hidden.exec(html)) {
    // Too many are a tag too many as well, which is noticed next.
    if (kept.push(html.slice(from, start.index)) > tagsMax) return html;
    const end = hiddenEnds[start[1]?.toLowerCase() ?? ''] ?? commentEnd;
    end.lastIndex = hidden.lastIndex;
    from = end.test(html) ? end.lastIndex : html.length;
    hidden.lastIndex = from;
  }
  kept.push(html.slice(from));
  return kept.join('').replaceAll('<![CDATA[', '');
}

/**
 * Follows the nesting as the parser will: an end tag closes all that was opened since its start tag, or
 * nothing.
 */
function findExcess(markup: string): string | null {
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
