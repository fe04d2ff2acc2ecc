import { storableText } from '../../db/storable.ts';
import type { AddressPolicy } from '../../net/address.ts';
import { parseTarget } from '../../net/url.ts';
import { type FieldErrors, validationError } from '../http/errors.ts';

/** One entry of a bulk request: its place, and what stands there. */
export interface Entry {
  position: number;
  url: string;
}

export interface Targets {
  valid: Entry[];
  /** Entries that do not fit, with `on_invalid: "skip"` only. */
  skipped: Entry[];
  /** How many entries equal an earlier one. */
  duplicates: number;
}

// They are kept uncharged, so they are not to cost much.
const misfitLengthMax = 256;

interface Reading {
  policy: AddressPolicy;
  dedupe: boolean;
  onInvalid: 'reject' | 'skip';
}

/** Looks at every entry of a list. Throws a 422 that names the entries at fault unless they are to be skipped. */
export function readTargets(urls: readonly unknown[], { policy, dedupe, onInvalid }: Reading): Targets {
  const seen = new Set<string>();
  const errors: FieldErrors = {};
  const targets: Targets = { valid: [], skipped: [], duplicates: 0 };
  let position = 0;
  urls.forEach((entry, index) => {
    const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
    const key = text.trim();
    const isDuplicate = seen.has(key);
    seen.add(key);
    if (isDuplicate) targets.duplicates += 1;
    if (isDuplicate && dedupe) return;
    const problem = typeof entry === 'string' ? parseTarget(entry, policy).problem : 'Must be a string.';
    if (!problem) targets.valid.push({ position, url: text });
    else if (onInvalid === 'skip') targets.skipped.push({ position, url: storable(text) });
    else errors[`urls.${index}`] = [problem];
    position += 1;
  });
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return targets;
}

/** One address in a field of its own, such as `url` or `webhook_url`. */
export function refuseBadTarget(field: string, value: string, policy: AddressPolicy): void {
  const { problem } = parseTarget(value, policy);
  if (problem) throw validationError({ [field]: [problem] });
}

/** What is kept of an entry that does not fit: enough to recognise it, and a cut may halve a character. */
export function storable(text: string): string {
  return storableText(storableText(text).slice(0, misfitLengthMax));
}
