import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe asks of colours; of all else it says the same in both schemes. */
const ofColour = ['color-contrast', 'link-in-text-block'];

const preload = { assets: ['media'] };

const tell = `({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)))`;

/** Makes axe known to all pages of a window, whatever their policy: half a megabyte, sent once. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe });
}

/** What axe finds wrong with a page as it stands, by some rules or by all but those of colours. */
export function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  const off = Object.fromEntries(ofColour.map((rule) => [rule, { enabled: false }]));
  // Style sheets are loaded a second time for rules that are not asked, and most of what axe tells is of no fault.
  const options = { reporter: 'no-passes', preload, ...(rules ? { runOnly: rules } : { rules: off }) };
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(${tell})`);
}

/**
 * What axe finds wrong with the colours of pages, which takes it longer than all else: words that look as others did,
 * on the same ground and in the same size, are not judged again. Of some axe cannot say anything, such as what is
 * covered: they are looked at again where they come next. One for each row of pages.
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

  /** Of how many ways that words look axe has said something. */
  get looks(): number {
    return this.#seen.size;
  }
}

/** Marks one element of each look that is not among `seen` with it, and answers whether there are any. */
const markUnseen = `(seen) => {
  for (const one of document.querySelectorAll('[data-unseen]')) one.removeAttribute('data-unseen');
  const known = new Set(seen);
  const grounds = new Map();
  const groundOf = (element) => {
    if (!element) return '';
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const isOpaque = /^rgb\\(/.test(backgroundColor) && opacity === '1';
      grounds.set(element, [backgroundColor, backgroundImage, opacity, isOpaque ? '' : groundOf(element.parentElement)].join());
    }
    return grounds.get(element);
  };
  // Of a single character axe does not know whether it is text.
  const hasWords = (element) => element.matches('input, select, textarea')
    || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1);
  for (const element of document.body.querySelectorAll('*')) {
    if (!hasWords(element) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    // The law asks nothing of the colours of these, and neither does axe.
    if (element.closest('[aria-hidden=true], :disabled, [aria-disabled=true]')) continue;
    const { color, fontSize, fontWeight, textDecorationLine, textShadow } = getComputedStyle(element);
    // As axe tells large words, and links from what is around them.
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const around = element.localName === 'a' ? textDecorationLine + getComputedStyle(element.parentElement).color : '';
    const look = [color, isLarge, textShadow, around, groundOf(element)].join(' ');
    if (known.has(look)) continue;
    known.add(look);
    element.dataset.unseen = look;
  }
  return known.size > seen.length;
}`;
