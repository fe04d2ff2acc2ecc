import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGoogleHtml } from '../checks/search/google/html.ts';
import { readBrightDataReply } from '../checks/search/providers/brightdata.ts';
import { readDataForSeo } from '../checks/search/providers/dataforseo.ts';
import { readOpenserp } from '../checks/search/providers/openserp.ts';
import { readSearxng } from '../checks/search/providers/searxng.ts';
import { readSerpApi } from '../checks/search/providers/serpapi.ts';
import { readSerper } from '../checks/search/providers/serper.ts';
import { ProviderError, type Serp } from '../checks/search/serp.ts';
import type { Judgement } from './judgement.ts';

/** The fields of a labelled recording in `EXPECTED.json` that are judged. */
export interface SerpLabel {
  file: string;
  provider: string;
  organic: { position: number; url: string }[];
  is_no_results: boolean;
  is_block_page: boolean;
}

/**
 * A wrong position. If `position` is null, the page was read as the wrong kind: a failure, an empty answer or results.
 */
export interface SerpMistake {
  file: string;
  position: number | null;
  expected: string;
  got: string;
}

/**
 * Figures over all recordings. `share` is `right` divided by `positions`. `skipped` lists files of unknown providers.
 */
export interface SerpJudgement {
  pages: number;
  positions: number;
  right: number;
  share: number;
  /** Number of pages that must be a failure or an empty answer. */
  emptyOrBlocked: number;
  emptyOrBlockedRight: number;
  mistakes: SerpMistake[];
  skipped: string[];
}

const readers: Record<string, (text: string) => Serp> = {
  google: (text) => readGoogleHtml(text, 'google'),
  brightdata: (text) => readBrightDataReply(text),
  serpapi: (text) => readSerpApi(JSON.parse(text)),
  serper: (text) => readSerper(JSON.parse(text)),
  dataforseo: (text) => readDataForSeo(JSON.parse(text)),
  searxng: (text) => readSearxng(JSON.parse(text)),
  openserp: (text) => readOpenserp(JSON.parse(text)),
};

/**
 * Reads every labelled recording of a folder with the readers of the providers and compares each position with its
 * label. A missing or additional entry shifts all later positions.
 *
 * Shape: `folder` holds `EXPECTED.json` and the recordings. The `serp` of `EXPECTED.json` is a list of labels, which
 * name the recordings.
 */
export function judgeSerp(folder: string): SerpJudgement {
  const { serp: labels } = JSON.parse(readFileSync(join(folder, 'EXPECTED.json'), 'utf8')) as {
    serp: SerpLabel[];
  };
  return judgeLabels(labels, (label) => readFileSync(join(folder, label.file), 'utf8'));
}

/** Judges labels whose recordings come from `readText`. */
export function judgeLabels(labels: SerpLabel[], readText: (label: SerpLabel) => string): SerpJudgement {
  const judged = labels.filter((label) => label.provider in readers);
  const mistakes = judged.flatMap((label) => judge(label, readText(label)));
  const positions = judged.reduce((sum, label) => sum + label.organic.length, 0);
  const wrong = judged.reduce((sum, label) => sum + countWrong(label, mistakes), 0);
  const emptyOrBlocked = judged.filter((label) => label.is_block_page || label.is_no_results);
  return {
    pages: judged.length,
    positions,
    right: positions - wrong,
    share: positions === 0 ? 1 : (positions - wrong) / positions,
    emptyOrBlocked: emptyOrBlocked.length,
    emptyOrBlockedRight: emptyOrBlocked.filter(({ file }) => !mistakes.some((it) => it.file === file)).length,
    mistakes,
    skipped: labels.filter((label) => !(label.provider in readers)).map((label) => label.file),
  };
}

export function toJudgement(title: string, judged: SerpJudgement): Judgement {
  const { emptyOrBlocked, emptyOrBlockedRight } = judged;
  return {
    subject: 'result positions',
    title,
    items: judged.pages,
    figures: {
      positions: judged.share,
      'blocked or empty': emptyOrBlocked === 0 ? 1 : emptyOrBlockedRight / emptyOrBlocked,
    },
    bars: { positions: 0.98, 'blocked or empty': 1 },
    wrong: judged.mistakes.map(({ file, position, expected, got }) => ({
      item: position === null ? file : `${file}, position ${position}`,
      expected,
      got,
      reasons: [],
    })),
  };
}

function judge(label: SerpLabel, text: string): SerpMistake[] {
  const outcome = read(label.provider, text);
  const mistake = (position: number | null, expected: string, got: string): SerpMistake => {
    return { file: label.file, position, expected, got };
  };
  if (outcome instanceof ProviderError) {
    if (label.is_block_page) return [];
    const got = `${outcome.kind}: ${outcome.message}`;
    if (label.is_no_results) return [mistake(null, 'an empty answer', got)];
    return label.organic.map(({ url }, index) => mistake(index + 1, url, got));
  }
  if (label.is_block_page) return [mistake(null, 'a failure', `${outcome.results.length} results`)];
  const isEmpty = outcome.results.length === 0;
  if (label.is_no_results !== isEmpty) {
    const expected = isEmpty ? 'results' : 'an empty answer';
    return [mistake(null, expected, `${outcome.results.length} results`)];
  }
  // Compares by order, because the positions in a shortened recording have gaps.
  const length = Math.max(label.organic.length, outcome.results.length);
  return Array.from({ length }, (_, index) => {
    const expected = label.organic[index]?.url ?? 'nothing more';
    const got = outcome.results[index]?.url ?? 'nothing more';
    return isSameUrl(expected, got) ? [] : [mistake(index + 1, expected, got)];
  }).flat();
}

function read(provider: string, text: string): Serp | ProviderError {
  try {
    return readers[provider]!(text);
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
}

function countWrong(label: SerpLabel, mistakes: SerpMistake[]): number {
  const own = mistakes.filter((mistake) => mistake.file === label.file);
  if (own.some((mistake) => mistake.position === null)) return label.organic.length;
  return own.filter((mistake) => (mistake.position ?? 0) <= label.organic.length).length;
}

function isSameUrl(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.parse(one)?.href === URL.parse(other)?.href);
}
