import type { BatchEntry, SkippedEntry } from '../../batches/accept.ts';
import { toStorableText } from '../../db/postgres/text.ts';
import type { AddressPolicy } from '../../net/address.ts';
import { createTargetValidator } from '../../net/target-validator.ts';
import { parseTarget } from '../../net/url.ts';
import type { FailedInputOf, InputOf, UrlCheckType } from '../../schemas/check-types.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { type ListOptions, readList } from './read-list.ts';

export interface ParsedTargets {
  valid: BatchEntry<InputOf<UrlCheckType>>[];
  /** Invalid entries. Empty unless `on_invalid` is `skip`. */
  skipped: SkippedEntry<FailedInputOf<UrlCheckType>>[];
  duplicates: number;
  indexes: number[];
}

/** A URL that was validated. */
interface Target {
  /** The caller's text. Responses repeat it. */
  asSent: string;
  /** The URL that Sonde requests, without surrounding white space. */
  href: string;
}

// The storage of invalid entries is free.
const invalidLengthMax = 256;

const field = 'urls';

/** Validates every URL of a list. Adds the errors of invalid URLs to `faults`, unless invalid URLs are skipped. */
export async function readTargets(
  urls: readonly unknown[],
  { policy, ...choice }: ListOptions & { policy: AddressPolicy },
  faults: FieldErrorCollector,
): Promise<ParsedTargets> {
  const judge = createTargetValidator(policy);
  const { valid, skipped, duplicates, indexes } = await readList<InputOf<UrlCheckType>>(
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
    skipped: skipped.map(({ entry, ...rest }) => ({
      ...rest,
      input: { url: toStorableEntry(toText(entry)) },
    })),
    duplicates,
    indexes,
  };
}

/** Reads the URL of a field such as `webhook_url`. If it is invalid, adds its error to `faults` and returns null. */
export function readTarget(
  field: string,
  value: string,
  policy: AddressPolicy,
  faults: FieldErrorCollector,
): Target | null {
  const { problem, url } = parseTarget(value, policy);
  if (problem === undefined) return { asSent: value, href: url.href };
  faults.add({ [field]: [problem] });
  return null;
}

/** Reads the URL of a field. Throws a 422. */
export function requireTarget(field: string, value: string, policy: AddressPolicy): Target {
  const faults = new FieldErrorCollector();
  const target = readTarget(field, value, policy, faults);
  faults.throwIfAny();
  return target as Target;
}

/** Shortens an invalid entry for storage. If the cut halves a character, the half is replaced. */
export function toStorableEntry(text: string): string {
  return toStorableText(toStorableText(text).slice(0, invalidLengthMax));
}

export function toText(entry: unknown): string {
  return typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? String(entry));
}
