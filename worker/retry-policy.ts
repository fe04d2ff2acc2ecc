import type { Failed, Outcome } from '../checks/outcome.ts';
import type { ItemTries } from '../db/chunks.ts';

/**
 * What to do with the outcome of one try: record it, try again later in the chunk, or leave the input for
 * another job, not before so many seconds have passed. `tries` are those to remember.
 */
export type RetryDecision<A extends object = object> =
  | { act: 'record'; outcome: Outcome<A>; tries: ItemTries }
  | { act: 'again'; tries: ItemTries; pause: { afterSeconds: number | null } | null }
  | { act: 'put_back'; tries: ItemTries; afterSeconds: number };

const silencesMax = 2;
const refusalsMax = 3;
const faultsMax = 2;
const putBacksMax = 3;
/** Each takes the pause of a full host at least, and that and a check's time at most: some two to eight minutes. */
const putOffsMax = 20;
const doubtSeconds = 10;
/** However long a provider wants to be left alone, a batch waits no longer for it. */
const retryAfterSecondsMax = 60;
/** What a process fails with that has no network, and others may not. */
const maybeOurs = new Set(['checker_unreachable', 'google_unreadable']);

/**
 * The answer to "again?", for each kind of outcome (docs/batches.md). Silence is confirmed by a second
 * try, a host that is busy is asked up to twice more, our own trouble gets one more try, when the pause is
 * over that was asked for; what there was no room for is no try, and is given up when there was none for long.
 * While the process doubts its own network it records neither silence nor that nothing could be reached: another
 * process is to look, and after three such rounds nobody could tell.
 */
export function decide<A extends object>(
  outcome: Outcome<A>,
  tries: ItemTries,
  isNetworkInDoubt: boolean,
): RetryDecision<A> {
  if (outcome.state === 'failed') return afterFault(outcome, tries, isNetworkInDoubt);
  switch (outcome.again?.reason) {
    case 'throttled':
      return afterRefusal(outcome, tries, outcome.again.afterSeconds);
    case 'silence':
      return isNetworkInDoubt ? afterDoubt(tries) : afterSilence(outcome, tries);
    default:
      return { act: 'record', outcome, tries };
  }
}

function afterFault<A extends object>(
  outcome: Failed,
  tries: ItemTries,
  isNetworkInDoubt: boolean,
): RetryDecision<A> {
  if (!outcome.isRetryable) return { act: 'record', outcome, tries };
  if (outcome.isPutOff) return afterPutOff(outcome, tries);
  if (isNetworkInDoubt && maybeOurs.has(outcome.error)) return afterDoubt(tries);
  const faults = (tries.faults ?? 0) + 1;
  const next = { ...tries, faults };
  if (faults >= faultsMax) return { act: 'record', outcome, tries: next };
  const pauseSeconds = Math.min(outcome.retryAfterSeconds ?? 0, retryAfterSecondsMax);
  // A pause is no time to hold a check slot or a job: another job goes on when it is over.
  return pauseSeconds > 0
    ? { act: 'put_back', tries: next, afterSeconds: pauseSeconds }
    : { act: 'again', tries: next, pause: null };
}

function afterPutOff<A extends object>(outcome: Failed, tries: ItemTries): RetryDecision<A> {
  const putOffs = (tries.putOffs ?? 0) + 1;
  const next = { ...tries, putOffs };
  return putOffs < putOffsMax
    ? { act: 'put_back', tries: next, afterSeconds: outcome.retryAfterSeconds ?? 0 }
    : { act: 'record', outcome, tries: next };
}

function afterRefusal<A extends object>(
  outcome: Outcome<A>,
  tries: ItemTries,
  afterSeconds: number | null,
): RetryDecision<A> {
  const refusals = (tries.refusals ?? 0) + 1;
  const next = { ...tries, refusals };
  if (refusals >= refusalsMax) return { act: 'record', outcome, tries: next };
  return { act: 'again', tries: next, pause: { afterSeconds } };
}

function afterSilence<A extends object>(outcome: Outcome<A>, tries: ItemTries): RetryDecision<A> {
  const silences = (tries.silences ?? 0) + 1;
  const next = { ...tries, silences };
  return silences < silencesMax
    ? { act: 'again', tries: next, pause: null }
    : { act: 'record', outcome, tries: next };
}

function afterDoubt<A extends object>(tries: ItemTries): RetryDecision<A> {
  const putBacks = (tries.putBacks ?? 0) + 1;
  const next = { ...tries, putBacks };
  if (putBacks < putBacksMax) return { act: 'put_back', tries: next, afterSeconds: doubtSeconds };
  const outcome: Outcome<A> = {
    state: 'failed',
    error: 'checker_unreachable',
    isRetryable: false,
  };
  return { act: 'record', outcome, tries: next };
}
