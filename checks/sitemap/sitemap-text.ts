/** Lets others come in between while something long is read. */
export interface Pace {
  /** After a piece of so many characters: what is to be awaited, if others are to come in now. */
  did(characters: number): Promise<void> | null;
}

/** Whether a sitemap lists sitemaps rather than pages (sitemaps.org/protocol.html). */
export function isIndex(xml: string): boolean {
  return /<sitemapindex[\s>]/i.test(xml);
}

/**
 * What stands in the `<loc>`s, at most `countMax` of them: the one element of the format that is of interest, and it
 * holds text only. A list of lines, which the format allows too, has its lines.
 */
export async function locations(text: string, countMax: number, pace: Pace): Promise<string[]> {
  if (!/<\w/.test(text.slice(0, 1000))) return lines(text).slice(0, countMax);
  const found: string[] = [];
  for (const [, address = ''] of text.matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<\]]{1,2100})/gi)) {
    if (found.length === countMax) break;
    if (address.trim() !== '') found.push(decodeEntities(address.trim()));
    const turn = pace.did(512 + address.length);
    if (turn) await turn;
  }
  return found;
}

/** The sitemaps that a robots.txt names (RFC 9309 leaves the word to others; sitemaps.org has it). */
export function sitemapsIn(robots: string): string[] {
  return [...robots.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(\S{1,2100})/gim)].map(
    ([, address = '']) => address,
  );
}

function lines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line) => (/^https?:\/\/\S+$/i.test(line.trim()) ? line.trim() : []));
}

const entities: Record<string, string> = {
  amp: '&',
  apos: "'",
  quot: '"',
  lt: '<',
  gt: '>',
  '#38': '&',
  '#39': "'",
};

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(amp|apos|quot|lt|gt|#38|#39);/g,
    (whole, name: string) => entities[name] ?? whole,
  );
}
