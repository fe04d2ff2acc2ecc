import type { BatchEntry, SkippedEntry } from '../../batches/accept.ts';
import { storableText } from '../../db/postgres/storable.ts';
import type { AddressPolicy } from '../../net/address.ts';
import { createTargetJudge } from '../../net/target-judge.ts';
import { parseTarget } from '../../net/url.ts';
import type { AskedOf, InputOf, UrlCheckType } from '../../schemas/check-types.ts';
import { type Target, targetOf } from '../../schemas/target.ts';
import { FieldFaults } from '../http/errors.ts';
import { type ListOptions, readList } from './read-list.ts';

export interface Targets {
  valid: BatchEntry<InputOf<UrlCheckType>>[];
  /** Entries that do not fit, with `on_invalid: "skip"` only. */
  skipped: SkippedEntry<AskedOf<UrlCheckType>>[];
  /** How many entries equal an earlier one. */
  duplicates: number;
}

// They are kept uncharged, so they are not to cost much.
const misfitLengthMax = 256;

const field = 'urls';

/** Looks at every entry of a list; what does not fit and is not to be skipped is noted. */
export async function readTargets(
  urls: readonly unknown[],
  { policy, ...choice }: ListOptions & { policy: AddressPolicy },
  faults: FieldFaults,
): Promise<Targets> {
  const judge = createTargetJudge(policy);
  const { valid, skipped, duplicates } = await readList<InputOf<UrlCheckType>>(
    urls,
    choice,
    field,
    faults,
    (entry, index) => {
      if (typeof entry !== 'string') return { faults: { [`${field}.${index}`]: ['Must be a string.'] } };
      const problem = judge(entry);
      return problem === null
        ? { value: { url: entry }, sameAs: entry.trim(), faults: null }
        : { faults: { [`${field}.${index}`]: [problem] } };
    },
  );
  return {
    valid,
    skipped: skipped.map(({ entry, ...rest }) => ({ ...rest, input: { url: storable(textOf(entry)) } })),
    duplicates,
  };
}

/** One address in a field of its own, such as `webhook_url`; null when it does not fit, which is noted. */
export function readTarget(
  field: string,
  value: string,
  policy: AddressPolicy,
  faults: FieldFaults,
): Target | null {
  const { problem, url } = parseTarget(value, policy);
  if (problem === undefined) return targetOf(value, url);
  faults.add({ [field]: [problem] });
  return null;
}

/** The same where nothing else is judged beside it. Throws a 422. */
export function requireTarget(field: string, value: string, policy: AddressPolicy): Target {
  const faults = new FieldFaults();
  const target = readTarget(field, value, policy, faults);
  faults.throwIfAny();
  // A target that is null was noted as a fault.
  return target as Target;
}

/** What is kept of an entry that does not fit: enough to recognise it, and a cut may halve a character. */
export function storable(text: string): string {
  return storableText(storableText(text).slice(0, misfitLengthMax));
}

/** An entry of any shape as text. */
export function textOf(entry: unknown): string {
  return typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? String(entry));
}
