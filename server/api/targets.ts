import { toStorableText } from '../../db/postgres/text.ts';
import type { AddressPolicy } from '../../net/address.ts';
import { createTargetValidator } from '../../net/target-validator.ts';
import { parseTarget } from '../../net/url.ts';
import type { FailedInputOf, InputOf, UrlCheckType } from '../../schemas/check-types.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { type ListOptions, type ParsedEntries, readList } from './read-list.ts';

/** A URL that was validated. */
interface Target {
  /** The caller's text. Responses repeat it. */
  asSent: string;
  /** The URL that Sonde requests, without surrounding white space. */
  href: string;
}

// Limits the stored text of an invalid entry, because invalid entries cost no credits.
const invalidLengthMax = 256;

/** Validates every URL of a list. If `onInvalid` is `reject`, adds the errors of invalid URLs to `faults`. */
export function readTargets(
  urls: readonly unknown[],
  { policy, ...choice }: ListOptions & { policy: AddressPolicy },
  faults: FieldErrorCollector,
): Promise<ParsedEntries<InputOf<UrlCheckType>, FailedInputOf<UrlCheckType>>> {
  const findProblem = createTargetValidator(policy);
  return readList<InputOf<UrlCheckType>, FailedInputOf<UrlCheckType>>(urls, choice, faults, {
    field: 'urls',
    read: (entry, path) => {
      if (typeof entry !== 'string') return { faults: { [path]: ['Must be a string.'] } };
      const problem = findProblem(entry);
      return problem === null
        ? { value: { url: entry }, sameAs: entry.trim(), faults: null }
        : { faults: { [path]: [problem] } };
    },
    toSkipped: (entry) => ({ url: toStorableEntry(toText(entry)) }),
  });
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

/** Shortens an invalid entry for storage. If the cut splits a surrogate pair, replaces the lone half. */
export function toStorableEntry(text: string): string {
  return toStorableText(toStorableText(text).slice(0, invalidLengthMax));
}

export function toText(entry: unknown): string {
  return typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? String(entry));
}
