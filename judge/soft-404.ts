import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { decodeHtml } from '../checks/page/charset.ts';
import { judgeHtml, type Soft404Verdict } from '../checks/soft-404/soft-404.ts';
import { hardPages, withMenuFirst } from '../test/support/hard-pages.ts';
import type { Judgement, Miss } from './judgement.ts';

/** Label of a recorded page: a soft 404, a page that exists, or a page that cannot be judged. */
export type ExpectedVerdict = 'positive' | 'negative' | 'unjudged';

export type Recording = {
  name: string;
  bytes: () => Uint8Array;
  expected: ExpectedVerdict;
  url: string;
  askedUrl: string;
};

const precisionMin = 0.98;
const recallMin = 0.9;

/** Minimum figures for hard pages, and for recordings with a menu before the text. */
export const hardBars = { precision: 0.995, recall: 0.97 };

/** Reads our own pages below `test/pages/soft-404`, one folder for each label. */
export function ownRecordings(root: string): Recording[] {
  const folder = join(root, 'test/pages/soft-404');
  return expectedVerdicts.flatMap((expected) =>
    readdirSync(join(folder, expected))
      .filter((name) => name.endsWith('.html'))
      .sort()
      .map((name) => ({
        ...toRecording(root, join(folder, expected, name)),
        expected,
        ...readUrls(join(folder, expected, name)),
      })),
  );
}

/** Reads the recordings listed in `EXPECTED.json` of a folder; an empty list without that file. */
export function sharedRecordings(fixtures: string, root: string): Recording[] {
  const list = join(fixtures, 'EXPECTED.json');
  if (!existsSync(list)) return [];
  const { soft404 } = JSON.parse(readFileSync(list, 'utf8')) as {
    soft404: { file: string; soft404: boolean }[];
  };
  return soft404.map(({ file, soft404: isSoft404 }) => ({
    ...toRecording(root, join(fixtures, file)),
    expected: isSoft404 ? 'positive' : 'negative',
    url: anyUrl,
    askedUrl: anyUrl,
  }));
}

/** Creates our own hard pages: menus first, tiny pages, expired offers, and existing pages that look like them. */
export function hardRecordings(): Recording[] {
  return hardPages().map(({ name, html, expected }) => ({
    name,
    bytes: () => Buffer.from(html),
    expected,
    url: anyUrl,
    askedUrl: anyUrl,
  }));
}

/** Adds three paragraphs of menu before the text of each recording. */
export function withMenusFirst(recordings: readonly Recording[]): Recording[] {
  return recordings
    .filter(({ expected }) => expected !== 'unjudged')
    .map((recording) => ({
      ...recording,
      bytes: () => Buffer.from(withMenuFirst(decodeHtml(recording.bytes(), null))),
    }));
}

/**
 * Judges recordings. A page labelled `unjudged` is treated as a negative. The result is wrong if the page was judged.
 */
export function judgeSoft404(
  title: string,
  recordings: readonly Recording[],
  bars: { precision: number; recall: number } = { precision: precisionMin, recall: recallMin },
): Judgement {
  const verdicts = recordings.map((recording) => ({ recording, verdict: judgeRecording(recording) }));
  const said = verdicts.filter(({ verdict }) => verdict.isSoft404);
  const positives = verdicts.filter(({ recording }) => recording.expected === 'positive');
  const right = said.filter(({ recording }) => recording.expected === 'positive').length;
  const precision = said.length === 0 ? 1 : right / said.length;
  const recall = positives.length === 0 ? 1 : right / positives.length;
  return {
    subject: 'soft 404',
    title,
    items: recordings.length,
    figures: {
      precision,
      recall,
      f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    },
    bars,
    wrong: verdicts.filter(isWrong).map(({ recording, verdict }) => toMiss(recording, verdict)),
  };
}

type Judged = { recording: Recording; verdict: Soft404Verdict };

const expectedVerdicts: readonly ExpectedVerdict[] = ['positive', 'negative', 'unjudged'];
const anyUrl = 'https://www.example.com/section/some-page';

function toRecording(root: string, file: string): Pick<Recording, 'name' | 'bytes'> {
  return { name: relative(root, file), bytes: () => readFileSync(file) };
}

// The first line of our own pages is a comment that may name the final URL and the URL requested.
function readUrls(file: string): { url: string; askedUrl: string } {
  const [comment = ''] = readFileSync(file, 'utf8').split('\n', 1);
  const url = /\burl: (\S+)/u.exec(comment)?.[1] ?? anyUrl;
  return { url, askedUrl: /\bfrom: (\S+)/u.exec(comment)?.[1] ?? url };
}

function judgeRecording({ bytes, url, askedUrl }: Recording): Soft404Verdict {
  const urls = { url: askedUrl, finalUrl: url, redirected: url !== askedUrl };
  return judgeHtml(decodeHtml(bytes(), null), urls).verdict;
}

function isWrong({ recording, verdict }: Judged): boolean {
  if (recording.expected === 'unjudged') return verdict.isChecked;
  return verdict.isSoft404 !== (recording.expected === 'positive');
}

function toMiss({ name, expected }: Recording, verdict: Soft404Verdict): Miss {
  const said = verdict.isSoft404 ? 'positive' : verdict.isChecked ? 'negative' : 'unjudged';
  const doubt = verdict.isDoubtful ? ', in doubt' : '';
  return { item: name, expected, got: said + doubt, reasons: verdict.reasons };
}
