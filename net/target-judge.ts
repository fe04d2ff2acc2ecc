import type { AddressPolicy } from './address.ts';
import { parseTarget, urlLengthMax } from './url.ts';

/** What is wrong with what a caller sent as a target, as parseTarget says it; null when nothing is. */
export type JudgeTarget = (input: string) => string | null;

/**
 * Judges the targets of one list, in which hosts come again and again, and reads each host once: what follows it in a
 * plain address is never a fault (url.spec.whatwg.org: no state after that of the port of a special URL fails). It
 * remembers each host that it has judged, so let it go with its list.
 */
export function createTargetJudge(policy: AddressPolicy): JudgeTarget {
  const judged = new Map<string, string | null>();
  const judge: JudgeTarget = (input) => parseTarget(input, policy).problem ?? null;
  return (input) => {
    const [upToHost] = isPlain(input) ? (upToHostPattern.exec(input) ?? []) : [];
    if (upToHost === undefined) return judge(input);
    const known = judged.get(upToHost);
    if (known !== undefined) return known;
    const problem = judge(`${upToHost}/`);
    judged.set(upToHost, problem);
    return problem;
  };
}

/** No character in it is a fault by itself, nor is its length. */
function isPlain(input: string): boolean {
  return input.length <= urlLengthMax && /^[\x21-\x7e]+$/.test(input);
}

const upToHostPattern = /^https?:\/\/[^/\\?#]+/i;
