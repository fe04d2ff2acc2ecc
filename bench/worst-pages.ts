import { detectBotWall } from '../checks/page/bot-wall.ts';
import { toMetadata } from '../checks/page/metadata.ts';
import { runPageTask } from '../checks/page/page-task.ts';
import { computeSimilarity } from '../checks/soft-404/sibling.ts';
import { ResponseHeaders } from '../net/response-headers.ts';
import { Random } from '../test/support/random.ts';
import { changeRecipe, makePage, type PageRecipe, recipes } from '../test/support/worst-pages.ts';
import { type Figure, median } from './figures.ts';

const pageBytes = 1024 * 1024;
const cpuMsMax = 150;
const keptMax = 12;
const pageLocation = { url: 'https://a.example/b/c', finalUrl: 'https://a.example/b/c', redirected: false };
const modes = ['check', 'sibling', 'latin1', 'utf-16le'] as const;
type Mode = (typeof modes)[number];

interface Candidate {
  recipe: PageRecipe;
  way: Mode;
  ms: number;
}

/**
 * Searches for the page of 1 MiB that takes most CPU time to decode, parse and judge. It mutates the most expensive
 * pages found so far and keeps the mutated pages that take longer. It measures the CPU time of this thread, which
 * excludes other processes' work.
 */
export async function* benchWorstPages(seconds: number, seed: number): AsyncGenerator<Figure> {
  const random = new Random(seed);
  let kept = firstCandidates();
  let count = kept.length;
  for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; count++) {
    const parent = random.pick(kept);
    const recipe = changeRecipe(parent.recipe, random);
    const way = random.chance(0.1) ? random.pick(modes) : parent.way;
    const candidate = { recipe, way, ms: processorMs(createPage(recipe, way), way, 1) };
    const least = kept.at(-1);
    if (least && candidate.ms <= least.ms) continue;
    // CPU time varies, so a candidate that seems expensive is measured again.
    candidate.ms = processorMs(createPage(recipe, way), way, 3);
    kept = [...kept, candidate].toSorted((a, b) => b.ms - a.ms).slice(0, keptMax);
    if (kept[0] === candidate)
      process.stderr.write(`${count}: ${candidate.ms.toFixed(1)} ms, ${way} ${JSON.stringify(recipe)}\n`);
  }
  for (const { recipe, way } of kept.slice(0, 3)) {
    const bytes = createPage(recipe, way);
    const clockMs = median(Array.from({ length: 5 }, () => timed(() => performance.now(), bytes, way)));
    const ms = median(Array.from({ length: 5 }, () => timed(threadMs, bytes, way)));
    yield {
      what: `the most expensive page of 1 MiB, of ${count} tried (seed ${seed})`,
      value: `${clockMs.toFixed(1)} ms, ${ms.toFixed(1)} of CPU time, medians of five: ${way} ${JSON.stringify(recipe)}`,
      bar: `≤ ${cpuMsMax} ms of CPU time`,
      isMet: ms <= cpuMsMax,
    };
  }
}

function firstCandidates(): Candidate[] {
  return modes
    .flatMap((way) =>
      recipes.map((recipe) => ({ recipe, way, ms: processorMs(createPage(recipe, way), way, 3) })),
    )
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, keptMax);
}

function createPage(recipe: PageRecipe, way: Mode): Buffer {
  const html = makePage(recipe);
  const bytes = way === 'check' || way === 'sibling' ? Buffer.from(html) : Buffer.from(html, way);
  return bytes.subarray(0, pageBytes);
}

function processorMs(bytes: Buffer, way: Mode, tries: number): number {
  return Math.min(...Array.from({ length: tries }, () => timed(threadMs, bytes, way)));
}

function timed(now: () => number, bytes: Buffer, way: Mode): number {
  const startedMs = now();
  processPage(bytes, way);
  return now() - startedMs;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Processes a page like a check: as the checked page, or as the sibling page that a check compares it with. */
function processPage(bytes: Buffer, way: Mode): void {
  const contentType = way === 'utf-16le' ? 'text/html; charset=utf-16le' : null;
  const isSibling = way === 'sibling';
  const read = runPageTask({ bytes, contentType, isCut: true, urls: pageLocation, isWhole: isSibling });
  if (!read) return;
  const headers = new ResponseHeaders([]);
  if (isSibling) computeSimilarity(read.page, read.page, [pageLocation.url]);
  detectBotWall({ status: 200, headers, page: read.page });
  toMetadata({ headers }, read.page, pageLocation.finalUrl);
}
