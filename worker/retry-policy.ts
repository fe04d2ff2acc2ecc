import type { Failed, Outcome } from '../checks/outcome.ts';
import type { ItemTries } from '../db/batches/chunks.ts';
import type { ItemError } from '../schemas/failures.ts';

/**
 * Decision about the outcome of one try: record it, try again later in the chunk, or leave the input for
 * another job, not before so many seconds have passed. `tries` are those to remember.
 */
export type RetryDecision<A extends object = object> =
  | { act: 'record'; outcome: Outcome<A>; tries: ItemTries }
  | { act: 'again'; tries: ItemTries; pause: { afterSeconds: number | null } | null }
  | { act: 'put_back'; tries: ItemTries; afterSeconds: number; waitingFor?: ItemError };

const silencesMax = 2;
const refusalsMax = 3;
/** Seconds before each further try. A provider that is down has about eight minutes to come back. */
const faultDelays = [0];
const outageDelays = [0, 5, 30, 120, 300];
/** Spreads the tries of many chunks, so that they do not meet the provider at the same moment. */
const jitterShare = 0.2;
const putBacksMax = 3;
/** Each takes the pause of a full host at least, and that and a check's time at most: some two to eight minutes. */
const putOffsMax = 20;
const doubtSeconds = 10;
/** However long a provider wants to be left alone, a batch waits no longer for it. */
const retryAfterSecondsMax = 60;

/**
 * Decides what follows from each kind of outcome (docs/batches.md). Silence is confirmed by a second try. A busy host
 * is asked up to twice more. Our own trouble gets one more try, an outage of the search providers five. A check that
 * found no room counts as no try, and fails after twenty rounds. While the process doubts its own network, it records
 * neither silence nor `checker_unreachable`: another process tries, and after three such rounds the check fails.
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
  if (isNetworkInDoubt && outcome.error === 'checker_unreachable') return afterDoubt(tries);
  const faults = tries.faults ?? 0;
  const next = { ...tries, faults: faults + 1 };
  const delaySeconds = (outcome.isOutage ? outageDelays : faultDelays)[faults];
  if (delaySeconds === undefined) return { act: 'record', outcome, tries: next };
  const askedSeconds = Math.min(outcome.retryAfterSeconds ?? 0, retryAfterSecondsMax);
  const afterSeconds = Math.max(askedSeconds, Math.round(delaySeconds * (1 + jitterShare * Math.random())));
  if (afterSeconds === 0) return { act: 'again', tries: next, pause: null };
  // The pause holds neither a check slot nor a job: a successor job starts when it is over.
  return {
    act: 'put_back',
    tries: next,
    afterSeconds,
    ...(outcome.isOutage && { waitingFor: outcome.error }),
  };
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
