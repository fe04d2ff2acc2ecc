import type { AddressPolicy } from './address.ts';
import { findTextProblem, parseTarget } from './url.ts';

/** Returns the problem of a target URL, as `parseTarget` does; null for a valid one. */
export type TargetValidator = (input: string) => string | null;

/**
 * Creates a validator for one list, which parses each host only once. Other parts of a URL are not parsed, which saves
 * most of the work: the URL parser accepts anything after the port (url.spec.whatwg.org). The validator keeps every
 * host in memory, so it must not live longer than its list.
 */
export function createTargetValidator(policy: AddressPolicy): TargetValidator {
  const judged = new Map<string, string | null>();
  return (input) => {
    const text = input.trim();
    const end = findTextProblem(text) === null ? findHostEnd(text) : 0;
    if (end === 0) return parseTarget(input, policy).problem ?? null;
    const upToHost = text.slice(0, end);
    const known = judged.get(upToHost);
    if (known !== undefined) return known;
    const problem = parseTarget(upToHost === text ? text : `${upToHost}/`, policy).problem ?? null;
    judged.set(upToHost, problem);
    return problem;
  };
}

const upToHostPattern = /https?:\/\/[^/\\?#]+/iy;

/** Returns 0 for a text without an http or https scheme and a host. Uses `test`, because `exec` creates an array. */
function findHostEnd(text: string): number {
  upToHostPattern.lastIndex = 0;
  return upToHostPattern.test(text) ? upToHostPattern.lastIndex : 0;
}
