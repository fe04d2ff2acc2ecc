import type { Failed, Outcome } from '../checks/outcome.ts';
import type { AttemptCounts } from '../db/tables.ts';
import type { AnswerOf } from '../schemas/check-types.ts';
import type { ItemError } from '../schemas/failures.ts';

/**
 * Decision about the outcome of one attempt. `tries` are the attempt counts to store.
 * - `record`: The outcome is recorded.
 * - `retry`: The check is retried within this job. If `pause` is set, the host is paused before the retry.
 *   `pause.afterSeconds` is the pause that the host asked for; otherwise null.
 * - `reschedule`: Another job checks the input after a delay. The batch shows `waitingFor`, a provider failure.
 */
type RetryDecision =
  | { action: 'record'; outcome: Outcome<AnswerOf>; tries: AttemptCounts }
  | { action: 'retry'; tries: AttemptCounts; pause: { afterSeconds: number | null } | null }
  | { action: 'reschedule'; tries: AttemptCounts; afterSeconds: number; waitingFor?: ItemError };

const silencesMax = 2;
const throttlesMax = 3;
/**
 * Seconds before each retry after a fault of our own or an outage of the search providers. A provider that is down has
 * about eight minutes to recover.
 */
const faultDelays = [0];
const outageDelays = [0, 5, 30, 120, 300];
/** Spreads the retries of many chunks over time. */
const jitterShare = 0.2;
const doubtsMax = 3;
/**
 * Maximum number of attempts that get no slot at the host. An attempt waits for a slot for up to 20 s, and the next
 * attempt follows 5 s later. Twenty attempts take two to eight minutes.
 */
const noSlotsMax = 20;
const doubtSeconds = 10;
/** Longest pause that a provider can ask for. */
const retryAfterSecondsMax = 60;

/**
 * Retry policy of checks (docs/batches.md). Decides whether to record the outcome of an attempt or to make another
 * attempt. The number of retries depends on the cause:
 * - no response from the target: one
 * - a host that throttles: two, each after a pause of the host
 * - a fault of our own: one
 * - an outage of the search providers: five
 * - no free slot for the host: nineteen
 * - no response or `checker_unreachable` while the network of the process is in doubt: two, if possible in another
 *   process. The check then fails.
 */
export function decideRetry(
  outcome: Outcome<AnswerOf>,
  tries: AttemptCounts,
  isNetworkInDoubt: boolean,
): RetryDecision {
  if (outcome.state === 'failed') return decideFault(outcome, tries, isNetworkInDoubt);
  switch (outcome.recheck?.reason) {
    case 'throttled':
      return decideThrottled(outcome, tries, outcome.recheck.afterSeconds);
    case 'silence':
      return isNetworkInDoubt ? decideDoubtful(tries) : decideSilence(outcome, tries);
    default:
      return { action: 'record', outcome, tries };
  }
}

function decideFault(outcome: Failed, tries: AttemptCounts, isNetworkInDoubt: boolean): RetryDecision {
  if (!outcome.isRetryable) return { action: 'record', outcome, tries };
  if (outcome.hadNoSlot) return decideNoSlot(outcome, tries);
  if (isNetworkInDoubt && outcome.error === 'checker_unreachable') return decideDoubtful(tries);
  const faults = tries.faults ?? 0;
  const next = { ...tries, faults: faults + 1 };
  const delaySeconds = (outcome.isOutage ? outageDelays : faultDelays)[faults];
  if (delaySeconds === undefined) return { action: 'record', outcome, tries: next };
  const requestedSeconds = Math.min(outcome.retryAfterSeconds ?? 0, retryAfterSecondsMax);
  const jitteredSeconds = Math.round(delaySeconds * (1 + jitterShare * Math.random()));
  const afterSeconds = Math.max(requestedSeconds, jitteredSeconds);
  if (afterSeconds === 0) return { action: 'retry', tries: next, pause: null };
  // The input holds no slot and no job during the delay. A successor job starts afterwards.
  return {
    action: 'reschedule',
    tries: next,
    afterSeconds,
    ...(outcome.isOutage && { waitingFor: outcome.error }),
  };
}

function decideNoSlot(outcome: Failed, tries: AttemptCounts): RetryDecision {
  const slotWaits = (tries.slotWaits ?? 0) + 1;
  const next = { ...tries, slotWaits };
  return slotWaits < noSlotsMax
    ? { action: 'reschedule', tries: next, afterSeconds: outcome.retryAfterSeconds ?? 0 }
    : { action: 'record', outcome, tries: next };
}

function decideThrottled(
  outcome: Outcome<AnswerOf>,
  tries: AttemptCounts,
  afterSeconds: number | null,
): RetryDecision {
  const refusals = (tries.refusals ?? 0) + 1;
  const next = { ...tries, refusals };
  if (refusals >= throttlesMax) return { action: 'record', outcome, tries: next };
  return { action: 'retry', tries: next, pause: { afterSeconds } };
}

function decideSilence(outcome: Outcome<AnswerOf>, tries: AttemptCounts): RetryDecision {
  const silences = (tries.silences ?? 0) + 1;
  const next = { ...tries, silences };
  return silences < silencesMax
    ? { action: 'retry', tries: next, pause: null }
    : { action: 'record', outcome, tries: next };
}

function decideDoubtful(tries: AttemptCounts): RetryDecision {
  const doubts = (tries.doubts ?? 0) + 1;
  const next = { ...tries, doubts };
  if (doubts < doubtsMax) return { action: 'reschedule', tries: next, afterSeconds: doubtSeconds };
  const outcome: Outcome<AnswerOf> = {
    state: 'failed',
    error: 'checker_unreachable',
    isRetryable: false,
  };
  return { action: 'record', outcome, tries: next };
}
