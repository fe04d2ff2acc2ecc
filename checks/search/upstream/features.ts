import { withoutFragment } from '../../../net/url.ts';
import type { FeatureType } from '../../../schemas/features.ts';
import { isInsideGoogle, isUrlHidden, toResultUrl } from '../google/url.ts';
import type { Serp, SerpOverview, SerpPart } from '../serp.ts';
import { hasContent } from './reply-errors.ts';
import { toEntries, toRecord, toText } from './shape.ts';

export interface Block {
  type: FeatureType;
  /** The provider's number of the block among all parts of the page; null if the provider does not number it. */
  rank?: number | null;
  content: unknown;
}

export interface PageParts {
  /** Types that the reply reports if they are on the page. */
  visible: readonly FeatureType[];
  blocks: Block[];
  /** The provider's numbers of the organic results; empty if the provider does not number them. */
  organicRanks?: number[];
  overview: SerpOverview;
  overviewRank?: number | null;
}

/** Adds the wanted parts to a page. A page without results gets none, because it may answer another query. */
export function addParts(serp: Serp, wants: readonly SerpPart[], readParts: () => PageParts): Serp {
  if (wants.length === 0 || serp.results.length === 0) return serp;
  const parts = readParts();
  return {
    ...serp,
    ...(wants.includes('features') ? { features: toFeatures(parts) } : {}),
    ...(wants.includes('ai_overview') ? { aiOverview: parts.overview } : {}),
  };
}

function toFeatures({ visible, blocks, organicRanks = [], overview, overviewRank = null }: PageParts) {
  const isPresent = overview.state === 'shown' || overview.state === 'unread';
  const found = mergeByType([
    ...(isPresent ? [{ type: 'ai_overview' as const, rank: overviewRank, content: null }] : []),
    ...blocks.filter(({ content }) => hasContent(content)),
  ]);
  const ranks = [...organicRanks, ...found.flatMap(({ rank }) => (rank === null ? [] : [rank]))];
  const reported = new Set([...visible, ...found.map(({ type }) => type)]);
  if (overview.state !== 'unknown') reported.add('ai_overview');
  return {
    visible: [...reported],
    found: found.map(({ type, rank, urls }) => ({
      type,
      position: rank === null ? null : ranks.filter((one) => one < rank).length + 1,
      urls,
    })),
  };
}

/** Merges all blocks of a type to one block, at the position of the first block. */
function mergeByType(blocks: Block[]) {
  const merged = new Map<FeatureType, { type: FeatureType; rank: number | null; urls: string[] }>();
  for (const { type, rank = null, content } of blocks) {
    const known = merged.get(type) ?? { type, rank, urls: [] };
    const ranks = [known.rank, rank].filter((one) => one !== null);
    const urls = [...new Set([...known.urls, ...findUrls(content)])].slice(0, urlsMax);
    merged.set(type, { type, rank: ranks.length > 0 ? Math.min(...ranks) : null, urls });
  }
  return [...merged.values()];
}

/** Creates the blocks of a reply that has one member for each type. */
export function toBlocks(reply: Record<string, unknown>, types: Record<string, FeatureType>): Block[] {
  return Object.entries(types).map(([name, type]) => ({ type, content: reply[name] }));
}

/** Maximum number of URLs, far more than any block has. */
const urlsMax = 100;
const partsMax = 2_000;
const linkNames = new Set(['link', 'url', 'href', 'website', 'answer_link']);

/** Returns the URLs of pages that a block links to, from top to bottom, each once. */
export function findUrls(content: unknown): string[] {
  const found = new Set<string>();
  let parts = 0;
  const visit = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null || depth > 5) return;
    for (const [name, inner] of Object.entries(value)) {
      if (++parts > partsMax || found.size === urlsMax) return;
      const url = linkNames.has(name) || Array.isArray(value) ? toPageUrl(toText(inner)) : null;
      if (url !== null) found.add(url);
      visit(inner, depth + 1);
    }
  };
  visit(content, 0);
  return [...found];
}

/**
 * Returns the URL of a page without the text fragment that Google adds. Returns null if `href` is not the URL of a
 * page, or if Google hides the URL.
 */
function toPageUrl(href: string | null): string | null {
  if (href === null || isUrlHidden(href)) return null;
  return (
    toResultUrl(href)
      ?.replace(/#:~:.*$/s, '')
      .slice(0, urlCharsMax) ?? null
  );
}

const urlCharsMax = 4_096;

export const overviewNotShown: SerpOverview = { state: 'not_shown', sources: [], text: null };
export const overviewUnread: SerpOverview = { state: 'unread', sources: [], text: null };
export const overviewUnknown: SerpOverview = { state: 'unknown', sources: [], text: null };

/**
 * Reads an overview from its text, in any structure of the providers, and its list of sources. If there are no sources,
 * or if a source cannot be read, it is unknown whether a page is cited. The overview is then `unread`.
 */
export function readOverview(content: unknown, references: unknown): SerpOverview {
  const text = toPlainText(collectText(content));
  const sources = readSources(references);
  return sources === null ? { ...overviewUnread, text } : { state: 'shown', sources, text };
}

/** Maximum number of sources, far more than any overview has. */
const referencesMax = 200;

function readSources(references: unknown): SerpOverview['sources'] | null {
  const entries = toEntries(references) ?? [];
  if (entries.length > referencesMax) return null;
  const sources = new Map<string, SerpOverview['sources'][number]>();
  for (const entry of entries) {
    const href = toText(entry.link) ?? toText(entry.url) ?? toText(entry.href) ?? '';
    const url = toPageUrl(href);
    if (isUrlHidden(href) || (url === null && !isInsideGoogle(href))) return null;
    if (url === null || sources.has(withoutFragment(url))) continue;
    const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
    const source = toText(entry.source) ?? toText(entry.domain) ?? host;
    sources.set(withoutFragment(url), { url, title: toLine(entry.title), source: toLine(source) });
  }
  return sources.size > 0 ? [...sources.values()] : null;
}

const lineCharsMax = 160;

function toLine(text: unknown): string {
  return (toPlainText((toText(text) ?? '').slice(0, 4 * lineCharsMax)) ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, lineCharsMax)
    .toWellFormed();
}

const textNames = new Set(['title', 'snippet', 'text']);
const textListNames = new Set(['items', 'list', 'text_blocks', 'texts', 'components', 'table']);
const textCharsMax = 16_384;

function collectText(content: unknown): string {
  const lines: string[] = [];
  let length = 0;
  const visit = (value: unknown, depth: number) => {
    if (length > textCharsMax || depth > 8) return;
    const line = toText(value);
    if (line !== null) length += lines.push(line.slice(0, textCharsMax)) && line.length;
    else if (Array.isArray(value)) for (const one of value) visit(one, depth + 1);
    else
      for (const [name, inner] of Object.entries(toRecord(value)))
        if (textListNames.has(name) || (textNames.has(name) && toText(inner) !== null))
          visit(inner, depth + 1);
  };
  visit(content, 0);
  return lines.join('\n').slice(0, textCharsMax);
}

const textBytesMax = 4_096;

/** Removes HTML and Markdown, control and bidirectional characters; null if nothing is left. At most 4 KiB. */
function toPlainText(markup: string): string | null {
  const text = markup
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .replace(/^[ \t]*(#{1,6} |[-*] )/gm, '')
    .replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, '')
    .replace(/\n{2,}/g, '\n')
    .trim()
    .toWellFormed();
  if (text === '') return null;
  // A cut may end within a character.
  return Buffer.from(text)
    .subarray(0, textBytesMax)
    .toString()
    .replace(/\ufffd+$/, '');
}
