import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe asks of colours; of all else it says the same in both schemes. */
const ofColour = ['color-contrast', 'link-in-text-block'];

/** Makes axe known to all pages of a window, whatever their policy: half a megabyte, sent once. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe });
}

/** What axe finds wrong with a page as it stands, by some rules or by all but those of colours. */
export function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  const off = Object.fromEntries(ofColour.map((rule) => [rule, { enabled: false }]));
  return run(page, 'document', rules ? { runOnly: rules } : { rules: off });
}

/**
 * What axe finds wrong with the colours of pages, which takes it longer than all else: words that look as others did,
 * on the same ground and in the same size, are not judged again. One for each row of pages.
 */
export class ColourJudge {
  readonly #seen = new Set<string>();

  async faultsOf(page: Page): Promise<string[]> {
    const looks = await page.evaluate<string[]>(`(${markUnseen})(${JSON.stringify([...this.#seen])})`);
    for (const look of looks) this.#seen.add(look);
    return looks.length === 0 ? [] : run(page, `{ include: ['[data-unseen]'] }`, { runOnly: ofColour });
  }

  /** In how many ways words have looked. */
  get looks(): number {
    return this.#seen.size;
  }
}

function run(page: Page, context: string, chosen: object): Promise<string[]> {
  // Style sheets are loaded a second time for rules that are not asked, and most of what axe tells is of no fault.
  const options = { reporter: 'no-passes', preload: { assets: ['media'] }, ...chosen };
  return page.evaluate<string[]>(`axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200))))`);
}

/** Marks one element of each look that is not among `seen`, and answers those looks. */
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
  const looks = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (!hasWords(element) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textDecorationLine, textShadow } = getComputedStyle(element);
    // As axe tells large words, and links from what is around them.
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const around = element.localName === 'a' ? textDecorationLine + getComputedStyle(element.parentElement).color : '';
    const isIdle = element.closest(':disabled, [aria-disabled=true]') !== null;
    const look = [color, isLarge, textShadow, around, isIdle, groundOf(element)].join(' ');
    if (known.has(look)) continue;
    known.add(look);
    looks.push(look);
    element.setAttribute('data-unseen', '');
  }
  return looks;
}`;
