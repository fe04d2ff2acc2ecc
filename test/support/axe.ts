import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with each of some pages, with all that opens open, in light and dark. */
export async function faultsOf(page: Page, paths: string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    // Through the debugger, which the page's own policy does not bind.
    await page.evaluate(axe);
    // What the dark colours may spoil is contrast; all else is the same.
    for (const [colorScheme, rules] of [
      ['light', {}],
      ['dark', { runOnly: ['color-contrast'] }],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
      const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults;
      const where = ({ html }: { html: string }) => html.slice(0, 200);
      faults.push(...violations.map(({ id, nodes }) => `${path} ${colorScheme} ${id}: ${nodes.map(where)}`));
    }
  }
  return faults;
}
