import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the colours of a scheme may spoil; all else is the same in both. */
export const ofColour = ['color-contrast', 'link-in-text-block'];

/** Makes axe known to all pages of a window, whatever their policy: half a megabyte, sent once. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: axe });
}

/** What axe finds wrong with a page as it stands, by some rules or by all. */
export async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  // Style sheets are loaded a second time for rules that are not asked, and most of what axe tells is of no fault.
  const options = { reporter: 'no-passes', preload: { assets: ['media'] }, ...(rules && { runOnly: rules }) };
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200))))`);
}
