import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import { layouts, organicResults } from '../test/support/google-pages.ts';
import { formatJudgement, hasPassed, type Judgement } from './judgement.ts';
import { judgeLabels, judgeSerp, type SerpJudgement, type SerpLabel, toJudgement } from './serp.ts';
import {
  hardBars,
  hardRecordings,
  judgeSoft404,
  ownRecordings,
  sharedRecordings,
  withMenusFirst,
} from './soft-404.ts';

const root = resolve(import.meta.dirname, '..');
const sharedFixtures = resolve(root, '../shared/fixtures');

const subjects: readonly ((fixtures: string | null) => Judgement[])[] = [
  (fixtures) => [
    judgeSoft404('own pages', ownRecordings(root)),
    judgeSoft404('hard pages', hardRecordings(), hardBars),
    judgeSoft404('own pages, menus first', withMenusFirst(ownRecordings(root)), hardBars),
    ...(fixtures
      ? [
          judgeSoft404(relative(root, fixtures), sharedRecordings(fixtures, root)),
          judgeSoft404(
            `${relative(root, fixtures)}, menus first`,
            withMenusFirst(sharedRecordings(fixtures, root)),
            hardBars,
          ),
        ]
      : []),
  ],
  (fixtures) => [
    toJudgement('own pages', judgeOwnSerps()),
    ...(fixtures ? [toJudgement(relative(root, fixtures), judgeSerp(fixtures))] : []),
  ],
];

/** Judges the project's own result pages, one for each version of Google's layout. */
function judgeOwnSerps(): SerpJudgement {
  const labels = layouts.map(
    ({ title }): SerpLabel => ({
      file: title,
      provider: 'google',
      organic: organicResults.map((url, index) => ({ position: index + 1, url })),
      is_no_results: false,
      is_block_page: false,
    }),
  );
  return judgeLabels(labels, ({ file }) => layouts.find(({ title }) => title === file)?.html ?? '');
}

const program = new Command('judge')
  .description(
    'Evaluates the engines on labelled recordings. Exits with code 1 if a figure is below its minimum.',
  )
  .argument(
    '[fixtures]',
    'folder with an EXPECTED.json',
    existsSync(sharedFixtures) ? sharedFixtures : undefined,
  )
  .option('--json', 'print JSON')
  .parse();

const [fixtures] = program.processedArgs as [string | undefined];
const judgements = subjects.flatMap((judge) => judge(fixtures === undefined ? null : resolve(fixtures)));
process.stdout.write(
  program.opts<{ json?: boolean }>().json
    ? `${JSON.stringify(judgements, null, 2)}\n`
    : `${judgements.map(formatJudgement).join('\n\n')}\n`,
);
process.exitCode = judgements.every(hasPassed) ? 0 : 1;
