import type { AddressPolicy } from './address.ts';
import { findTextProblem, parseTarget } from './url.ts';

/** Returns the `problem` that `parseTarget` finds in a target URL. Returns null for a valid URL. */
type TargetValidator = (input: string) => string | null;

/**
 * Creates a validator for one list. The validator parses each distinct host once. The rest of a URL is not parsed,
 * because the URL parser accepts anything after the port (url.spec.whatwg.org). This saves most of the work. The
 * validator keeps every host in memory. Create a new validator for each list.
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

/**
 * Returns 0 if the text does not begin with an http or https scheme and a host. Uses `test`, because `exec` creates an
 * array.
 */
function findHostEnd(text: string): number {
  upToHostPattern.lastIndex = 0;
  return upToHostPattern.test(text) ? upToHostPattern.lastIndex : 0;
}
