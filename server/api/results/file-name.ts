import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Selection } from '../../../db/batches/results.ts';

const wordsMax = 60;

/**
 * What a file of a batch's results is called, such as `sonde-october-crawl-2026-11-20.csv`: after the batch's
 * name, else its type, what of it is in there, and the day it was submitted (UTC). Letters of any script,
 * digits and hyphens.
 */
export function fileNameOf(
  { name, reference, type, createdAt }: Pick<BatchRow, 'name' | 'reference' | 'type' | 'createdAt'>,
  { show, search }: Selection,
  ending: string,
): string {
  const called = hyphenated(name ?? reference ?? '') || type;
  const parts = ['sonde', called, hyphenated(show ?? ''), hyphenated(search ?? ''), dayOf(createdAt)];
  return `${parts.filter(Boolean).join('-')}.${ending}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function hyphenated(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return [...(words ?? []).join('-')].slice(0, wordsMax).join('').replace(/-$/, '');
}
