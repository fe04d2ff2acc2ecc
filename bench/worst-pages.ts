import { Command, Option } from 'commander';
import { Random } from '../test/support/random.ts';
import { makePage, type PageRecipe, recipes } from '../test/support/worst-pages.ts';
import { heldByPage, visitedBy } from './pages.ts';

const options = new Command('node bench/worst-pages.ts')
  .description(
    'Climbs from page to page, each dearer to read and judge than the one before, and prints the dearest.',
  )
  .addOption(new Option('--by <measure>', 'what is dear').choices(['ms', 'visited']).default('ms'))
  .option('--steps <n>', 'pages tried', Number, 300)
  .option('--seed <n>', 'where chance begins', Number, 1)
  .parse()
  .opts<{ by: 'ms' | 'visited'; steps: number; seed: number }>();

const pieces =
  `<div>|<h1>a|<h2>a|<p>no |<p>a |<a href=/>a|</a>|<!---->|<i>a</i>1|a<br>|<br>|&amp;|&|<|<b class="a b">|<b id=x-404>|
  <meta name=a content=b>|<article>|<main>|</main>|<nav>|</nav>|<script>|</script>|<script>a</script>|<style>|</style>|<title>|</title>|
  <svg><title>|</svg>|<p hidden>|</p>|<noscript>|</noscript>|\ufdfa|\0a| a\n|Aa|1a|é|页面不存在|url page not found |no |page |not |404 |. |
  a | |word word word |</h1>|<input type=password>|<img src=a>|<li><a href="/">Home</a>|<td>|&notit;|الصفحة غير |ページ |не |страница |n'|sid |ne `
    .split('|')
    .map((piece) => piece.replace(/^\n\s*/u, ''));
const pageChars = 1024 * 1024;

const numbers = new Random(options.seed);
const random = () => numbers.next();
const measure = options.by === 'ms' ? (html: string) => heldByPage(html, 5) : visitedBy;
// The first pages of a process are dear for want of compiled code.
for (const recipe of [...recipes, ...recipes]) visitedBy(makePage(recipe));
let best = { recipe: pick(recipes), worth: 0 };
for (let step = 0; step < options.steps; step++) {
  const recipe = step < recipes.length ? (recipes[step] ?? best.recipe) : changed(best.recipe);
  const html = makePage(recipe).slice(0, pageChars);
  // Time jitters: what seems dearer is measured again.
  const worth = measure(html) > best.worth ? measure(html) : 0;
  if (worth > best.worth) {
    best = { recipe, worth };
    process.stdout.write(`${step}: ${worth.toFixed(1)} ${options.by}\n`);
  }
}
process.stdout.write(`${JSON.stringify(best.recipe)}\n`);

function changed({ head, parts }: PageRecipe): PageRecipe {
  const at = Math.floor(random() * parts.length);
  const [piece, chars] = parts[at] ?? [pick(pieces), 1_000];
  const part: PageRecipe['parts'][number] = pick([
    () => [pick(pieces) + piece, chars] as const,
    () => [piece + pick(pieces), chars] as const,
    () => [pick(pieces), chars] as const,
    () => [pick(pieces) + pick(pieces) + pick(pieces), chars] as const,
    () => [piece, Math.ceil(chars * (random() + 0.3) * 2)] as const,
  ])();
  if (random() < 0.3)
    return { head, parts: parts.toSpliced(at, 0, [part[0], Math.ceil(random() ** 3 * pageChars)]) };
  if (random() < 0.15 && parts.length > 1) return { head, parts: parts.toSpliced(at, 1) };
  return { head, parts: parts.with(at, part) };
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
