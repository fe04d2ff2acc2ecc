import { LAYOUTS, RESULTS } from '../test/support/google-pages.ts';
import { judgeLabels, type SerpJudgement, type SerpLabel } from './serp.ts';

/** Judges the project's own result pages, one for each generation of Google's layout. */
export function judgeOwnSerps(): SerpJudgement {
  const labels = LAYOUTS.map(
    ({ title, urls = RESULTS }): SerpLabel => ({
      file: title,
      provider: 'google',
      organic: urls.map((url, index) => ({ position: index + 1, url })),
      is_no_results: false,
      is_block_page: false,
    }),
  );
  return judgeLabels(labels, ({ file }) => LAYOUTS.find(({ title }) => title === file)?.html ?? '');
}
