import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules for colours. The other rules have the same result in both colour schemes. */
const ofColour = ['color-contrast', 'link-in-text-block'];

const preload = { assets: ['media'] };

const tell = `({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)))`;

/** Injects axe into all pages of a window, whatever their policy: half a megabyte, sent once. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe });
}

/** Returns the faults that axe finds in a page, by `rules` or by all except those for colours. */
export function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  const off = Object.fromEntries(ofColour.map((rule) => [rule, { enabled: false }]));
  // Style sheets would be loaded again for rules that are off, and passes are most of the output.
  const options = { reporter: 'no-passes', preload, ...(rules ? { runOnly: rules } : { rules: off }) };
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(${tell})`);
}

/**
 * Finds faults in the colours of pages, which is axe's slowest part. Words of a known look (colour, background, size)
 * are not checked again. Words that axe cannot check, such as covered ones, are checked where they appear next.
 */
export class ColourJudge {
  readonly #seen = new Set<string>();

  async faultsOf(page: Page): Promise<string[]> {
    const hasUnseen = await page.evaluate<boolean>(`(${markUnseen})(${JSON.stringify([...this.#seen])})`);
    if (!hasUnseen) return [];
    const options = { runOnly: ofColour, resultTypes: ['passes', 'violations'], elementRef: true, preload };
    const { faults, judged } = await page.evaluate<{ faults: string[]; judged: string[] }>(
      `axe.run({ include: ['[data-unseen]'] }, ${JSON.stringify(options)}).then((found) => ({
        faults: (${tell})(found),
        judged: [...found.passes, ...found.violations].flatMap(({ nodes }) => nodes)
          .flatMap(({ element }) => element.dataset.unseen ?? []),
      }))`,
    );
    for (const look of judged) this.#seen.add(look);
    return faults;
  }

  /** Number of looks that axe has checked. */
  get looks(): number {
    return this.#seen.size;
  }
}

/** Marks one element of each look that is not in `seen`. Returns true when there are any. */
const markUnseen = `(seen) => {
  for (const one of document.querySelectorAll('[data-unseen]')) one.removeAttribute('data-unseen');
  const known = new Set(seen);
  const grounds = new Map();
  const findBackground = (element) => {
    if (!element) return '';
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const isOpaque = /^rgb\\(/.test(backgroundColor) && opacity === '1';
      grounds.set(element, [backgroundColor, backgroundImage, opacity, isOpaque ? '' : findBackground(element.parentElement)].join());
    }
    return grounds.get(element);
  };
  // Axe does not know whether a single character is text.
  const hasWords = (element) => element.matches('input, select, textarea')
    || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1);
  for (const element of document.body.querySelectorAll('*')) {
    if (!hasWords(element) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    // WCAG has no rule for the colours of these.
    if (element.closest('[aria-hidden=true], :disabled, [aria-disabled=true]')) continue;
    const { color, fontSize, fontWeight, textDecorationLine, textShadow } = getComputedStyle(element);
    // Axe's definition of large text, and of links within text.
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const around = element.localName === 'a' ? textDecorationLine + getComputedStyle(element.parentElement).color : '';
    const look = [color, isLarge, textShadow, around, findBackground(element)].join(' ');
    if (known.has(look)) continue;
    known.add(look);
    element.dataset.unseen = look;
  }
  return known.size > seen.length;
}`;
