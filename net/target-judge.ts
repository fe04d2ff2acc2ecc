import type { AddressPolicy } from './address.ts';
import { parseTarget, problemOfText } from './url.ts';

/** What is wrong with what a caller sent as a target, as parseTarget says it; null when nothing is. */
export type JudgeTarget = (input: string) => string | null;

/**
 * Judges the targets of one list, in which hosts come again and again, and reads each host once. What follows it is no
 * fault, whatever its characters (url.spec.whatwg.org: no state after that of the port of a special URL fails), and
 * reading it is most of the work. It remembers each host that it has judged, so let it go with its list.
 */
export function createTargetJudge(policy: AddressPolicy): JudgeTarget {
  const judged = new Map<string, string | null>();
  return (input) => {
    const text = input.trim();
    const end = problemOfText(text) === null ? endOfHost(text) : 0;
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

/** 0 for what does not begin with a scheme of ours and a host. Answers no match, which would be a list for each. */
function endOfHost(text: string): number {
  upToHostPattern.lastIndex = 0;
  return upToHostPattern.test(text) ? upToHostPattern.lastIndex : 0;
}
