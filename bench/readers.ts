import { readGoogleHtml } from '../checks/search/google/html.ts';
import { readJson } from '../checks/search/upstream/json.ts';
import { heldMs } from '../test/support/growth.ts';
import { type Worst, worstGooglePages, worstJson } from '../test/support/worst-serps.ts';
import type { Figure } from './figures.ts';

/** A reader that holds the event loop for longer makes every other request of the process wait. */
const heldMsMax = 50;

/** How long the worst answers of providers hold the event loop: of each the best of nine rounds, and of those the longest. */
export async function benchReaders(): Promise<Figure[]> {
  return [
    figure('pages of Google', worstGooglePages, (html) => readGoogleHtml(html, 'bench')),
    figure('JSON', worstJson, (text) => readJson(text, 'bench')),
  ];
}

function figure(what: string, worst: Worst, read: (text: string) => unknown): Figure {
  const held = Object.entries(worst).map(([title, input]) => ({ title, ms: bestOf(9, read, input(1)) }));
  const longest = held.reduce((one, other) => (other.ms > one.ms ? other : one));
  return {
    what: `worst ${what}: event loop held`,
    value: `${longest.ms.toFixed(1)} ms of processor time by ${longest.title}`,
    bar: `≤ ${heldMsMax} ms`,
    isMet: longest.ms <= heldMsMax,
  };
}

function bestOf(rounds: number, read: (text: string) => unknown, text: string): number {
  const times = Array.from({ length: rounds }, () =>
    heldMs(() => {
      try {
        read(text);
      } catch {
        // Many are refused; what counts is how soon.
      }
    }),
  );
  return Math.min(...times);
}
