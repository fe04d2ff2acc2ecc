import { judgeHtml } from '../checks/soft-404/judge-html.ts';
import { worstPages } from '../test/support/worst-pages.ts';
import type { Figure } from './figures.ts';

const rounds = 7;
const heldMsMax = 50;
const where = { url: 'https://a.example/b/c', finalUrl: 'https://a.example/b/c', redirected: false };

/**
 * How long the dearest of the worst pages known holds the event loop, read and judged as in a check: the best
 * time of each.
 */
export async function benchPages(): Promise<Figure[]> {
  // The first pages of a process are dear for want of compiled code.
  for (const html of Object.values(worstPages)) visitedBy(html);
  const held = Object.entries(worstPages).map(([name, html]) => ({ name, ms: heldByPage(html) }));
  const [worst] = held.toSorted((a, b) => b.ms - a.ms);
  const ms = worst?.ms ?? Number.NaN;
  return [
    {
      what: `the worst of ${held.length} pages made to be slow, read and judged`,
      value: `${ms.toFixed(1)} ms (${worst?.name})`,
      bar: `≤ ${heldMsMax} ms`,
      isMet: ms <= heldMsMax,
    },
  ];
}

/** What one page holds the event loop for, in milliseconds, the least of several tries. */
export function heldByPage(html: string, tries = rounds): number {
  const times = Array.from({ length: tries }, () => {
    const startedMs = performance.now();
    judgeHtml(html, where);
    return performance.now() - startedMs;
  });
  return Math.min(...times);
}

/** The characters that reading and judging one page visits. */
export function visitedBy(html: string): number {
  const { reading, judging } = judgeHtml(html, where).visited;
  return reading + judging;
}
