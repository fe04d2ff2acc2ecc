import { detectBotWall } from '../checks/page/bot-wall.ts';
import { runPageTask } from '../checks/page/page-task.ts';
import { remarksOf } from '../checks/page/remarks.ts';
import { resemblance } from '../checks/soft-404/sibling.ts';
import { ResponseHeaders } from '../net/response-headers.ts';
import { Random } from '../test/support/random.ts';
import { changeRecipe, makePage, type PageRecipe, recipes } from '../test/support/worst-pages.ts';
import { type Figure, median } from './figures.ts';

const pageBytes = 1024 * 1024;
const heldMsMax = 150;
const keptMax = 12;
const where = { url: 'https://a.example/b/c', finalUrl: 'https://a.example/b/c', redirected: false };
const ways = ['check', 'sibling', 'latin1', 'utf-16le'] as const;
type Way = (typeof ways)[number];

interface Candidate {
  recipe: PageRecipe;
  way: Way;
  ms: number;
}

/**
 * Searches for the page of 1 MiB that is most expensive to decode, read and judge: changes the most expensive found
 * so far and keeps what takes longer, in processor time of this thread, since a clock also counts what others do.
 */
export async function* benchWorstPages(seconds: number, seed: number): AsyncGenerator<Figure> {
  const random = new Random(seed);
  let kept = firstCandidates();
  let tried = kept.length;
  for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; tried++) {
    const parent = random.pick(kept);
    const recipe = changeRecipe(parent.recipe, random);
    const way = random.chance(0.1) ? random.pick(ways) : parent.way;
    const candidate = { recipe, way, ms: processorMs(pageOf(recipe, way), way, 1) };
    const least = kept.at(-1);
    if (least && candidate.ms <= least.ms) continue;
    // Processor time varies too: what seems expensive is measured again.
    candidate.ms = processorMs(pageOf(recipe, way), way, 3);
    kept = [...kept, candidate].toSorted((a, b) => b.ms - a.ms).slice(0, keptMax);
    if (kept[0] === candidate)
      process.stderr.write(`${tried}: ${candidate.ms.toFixed(1)} ms, ${way} ${JSON.stringify(recipe)}\n`);
  }
  for (const { recipe, way } of kept.slice(0, 3)) {
    const bytes = pageOf(recipe, way);
    const clockMs = median(Array.from({ length: 5 }, () => timed(() => performance.now(), bytes, way)));
    const ms = median(Array.from({ length: 5 }, () => timed(threadMs, bytes, way)));
    yield {
      what: `the most expensive page of 1 MiB, of ${tried} tried (seed ${seed})`,
      value: `${clockMs.toFixed(1)} ms, ${ms.toFixed(1)} of processor time, medians of five: ${way} ${JSON.stringify(recipe)}`,
      bar: `≤ ${heldMsMax} ms of processor time`,
      isMet: ms <= heldMsMax,
    };
  }
}

function firstCandidates(): Candidate[] {
  return ways
    .flatMap((way) =>
      recipes.map((recipe) => ({ recipe, way, ms: processorMs(pageOf(recipe, way), way, 3) })),
    )
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, keptMax);
}

function pageOf(recipe: PageRecipe, way: Way): Buffer {
  const html = makePage(recipe);
  const bytes = way === 'check' || way === 'sibling' ? Buffer.from(html) : Buffer.from(html, way);
  return bytes.subarray(0, pageBytes);
}

function processorMs(bytes: Buffer, way: Way, tries: number): number {
  return Math.min(...Array.from({ length: tries }, () => timed(threadMs, bytes, way)));
}

function timed(now: () => number, bytes: Buffer, way: Way): number {
  const startedMs = now();
  study(bytes, way);
  return now() - startedMs;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Does what a check does with a page of its address, or of the sibling it is compared with. */
function study(bytes: Buffer, way: Way): void {
  const contentType = way === 'utf-16le' ? 'text/html; charset=utf-16le' : null;
  const isSibling = way === 'sibling';
  const read = runPageTask({ bytes, contentType, isCut: true, where, isWhole: isSibling });
  if (!read) return;
  const headers = new ResponseHeaders([]);
  if (isSibling) resemblance(read.page, read.page, [where.url]);
  detectBotWall({ status: 200, headers, page: read.page });
  remarksOf({ headers }, read.page, where.finalUrl);
}
