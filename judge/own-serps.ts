import { layouts, organicResults } from '../test/support/google-pages.ts';
import { judgeLabels, type SerpJudgement, type SerpLabel } from './serp.ts';

/** Judges the project's own result pages, one for each generation of Google's layout. */
export function judgeOwnSerps(): SerpJudgement {
  const labels = layouts.map(
    ({ title, urls = organicResults }): SerpLabel => ({
      file: title,
      provider: 'google',
      organic: urls.map((url, index) => ({ position: index + 1, url })),
      is_no_results: false,
      is_block_page: false,
    }),
  );
  return judgeLabels(labels, ({ file }) => layouts.find(({ title }) => title === file)?.html ?? '');
}
