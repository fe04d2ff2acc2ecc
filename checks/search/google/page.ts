import { HTMLElement, parse } from 'node-html-parser';
import { ProviderError } from '../serp.ts';

/** DESIGN section 7. */
const BYTES_MAX = 3 * 1024 * 1024;
/**
 * The largest page recorded has 100 results, 0.7 MiB of markup and 12,000 tags, one of today's ten results less than
 * half; the deepest is 60 deep, none leaves more than six tags open. With the 5,000 unclosed tags of DESIGN section 7
 * the parser alone took 130 ms.
 */
const MARKUP_CHARS_MAX = 1024 * 1024;
const TAGS_MAX = 13_000;
const DEPTH_MAX = 250;
const UNCLOSED_MAX = 1_000;

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const HIDDEN = /<!--|<(script|style|noscript)\b/gi;
const HIDDEN_END: Record<string, RegExp> = {
  script: /<\/script\s*>/gi,
  style: /<\/style\s*>/gi,
  noscript: /<\/noscript\s*>/gi,
};
const COMMENT_END = /-->/g;
const TAG = /<(\/?)([a-z][a-z0-9-]*)/gi;

/**
 * A result page as a tree, without comments, scripts and styles.
 *
 * Errors: `ProviderError` (unreadable) for a page too large, too deep or too broken to be Google's, told in one pass
 * before the parser sees it: a page at these limits holds the event loop for at most 50 ms (DESIGN section 7).
 */
export function parsePage(html: string, provider: string): HTMLElement {
  const markup = withoutHidden(html);
  const excess = Buffer.byteLength(html) > BYTES_MAX ? 'more than 3 MiB' : findExcess(markup);
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

/** Half of a result page is script; and the parser looks for the end of a comment anew from each of their starts. */
function withoutHidden(html: string): string {
  const kept: string[] = [];
  let from = 0;
  HIDDEN.lastIndex = 0;
  for (let start = HIDDEN.exec(html); start !== null; start = HIDDEN.exec(html)) {
    // Too many are a tag too many as well, which is noticed next.
    if (kept.push(html.slice(from, start.index)) > TAGS_MAX) return html;
    const end = HIDDEN_END[start[1]?.toLowerCase() ?? ''] ?? COMMENT_END;
    end.lastIndex = HIDDEN.lastIndex;
    from = end.test(html) ? end.lastIndex : html.length;
    HIDDEN.lastIndex = from;
  }
  kept.push(html.slice(from));
  return kept.join('').replaceAll('<![CDATA[', '');
}

/** Follows the nesting as the parser will: an end tag closes all that was opened since its start tag, or nothing. */
function findExcess(markup: string): string | null {
  if (markup.length > MARKUP_CHARS_MAX) return 'more than 1 MiB of markup';
  const open: string[] = [];
  const openByName = new Map<string, number>();
  let tags = 0;
  let unclosed = 0;
  for (const [, slash, name = ''] of markup.matchAll(TAG)) {
    if (++tags > TAGS_MAX) return `more than ${TAGS_MAX} tags`;
    if (VOID.has(name)) continue;
    const count = openByName.get(name) ?? 0;
    if (slash === '') {
      if (open.push(name) > DEPTH_MAX) return `tags more than ${DEPTH_MAX} deep`;
      openByName.set(name, count + 1);
    } else if (count > 0) {
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        openByName.set(last, (openByName.get(last) ?? 1) - 1);
        if (last === name) break;
        if (++unclosed > UNCLOSED_MAX) return `more than ${UNCLOSED_MAX} unclosed tags`;
      }
    }
  }
  return null;
}
