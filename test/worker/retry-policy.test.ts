import { expect } from 'chai';
import type { Failed, Outcome, RecheckReason } from '../../checks/outcome.ts';
import type { AnswerOf } from '../../schemas/check-types.ts';
import { decideRetry } from '../../worker/retry-policy.ts';

const answer = (again: RecheckReason | null): Outcome<AnswerOf> => ({
  state: 'success',
  answer: {} as AnswerOf,
  tally: [],
  recheck: again,
});
const failure = (isRetryable: boolean): Failed => ({
  state: 'failed',
  error: 'checker_unreachable',
  isRetryable,
});

describe('decideRetry', () => {
  it('records an answer, also while the network is in doubt', () => {
    for (const isInDoubt of [false, true])
      expect(decideRetry(answer(null), {}, isInDoubt)).to.include({ action: 'record' });
  });

  it('retries a silent target once, then accepts the failure', () => {
    const first = decideRetry(answer({ reason: 'silence' }), {}, false);
    expect(first).to.deep.equal({ action: 'retry', tries: { silences: 1 }, pause: null });
    expect(decideRetry(answer({ reason: 'silence' }), first.tries, false)).to.include({ action: 'record' });
  });

  it('retries a busy host up to twice, after a pause, and accepts its last answer', () => {
    const busy = answer({ reason: 'throttled', afterSeconds: 7 });
    const first = decideRetry(busy, {}, false);
    expect(first).to.deep.equal({ action: 'retry', tries: { refusals: 1 }, pause: { afterSeconds: 7 } });
    const second = decideRetry(busy, first.tries, false);
    expect(second).to.include({ action: 'retry' });
    expect(decideRetry(busy, second.tries, false)).to.include({ action: 'record', outcome: busy });
  });

  it('retries once after a fault of ours', () => {
    const first = decideRetry(failure(true), {}, false);
    expect(first).to.include({ action: 'retry' });
    expect(decideRetry(failure(true), first.tries, false)).to.include({ action: 'record' });
    expect(decideRetry(failure(false), {}, false)).to.include({ action: 'record' });
  });

  it('leaves targets that a process without a network could not reach to another process', () => {
    const later = { action: 'reschedule', tries: { doubts: 1 }, afterSeconds: 10 };
    expect(decideRetry(failure(true), {}, true)).to.deep.equal(later);
    const broken = { ...failure(true), error: 'checker_failed' } as Failed;
    expect(decideRetry(broken, {}, true)).to.include({ action: 'retry' });
  });

  it('pauses as long as requested, up to a minute', () => {
    const failed = (retryAfterSeconds: number) =>
      decideRetry({ ...failure(true), retryAfterSeconds }, {}, false);
    expect(failed(15)).to.deep.equal({ action: 'reschedule', tries: { faults: 1 }, afterSeconds: 15 });
    expect(failed(3600)).to.include({ action: 'reschedule', afterSeconds: 60 });
  });

  it('retries after 5 s, 30 s, 2 and 5 minutes while the search providers are down, with jitter', () => {
    const outage: Failed = { state: 'failed', error: 'google_unreadable', isRetryable: true, isOutage: true };
    let next = decideRetry(outage, {}, false);
    expect(next).to.include({ action: 'retry' });
    for (const seconds of [5, 30, 120, 300]) {
      next = decideRetry(outage, next.tries, true);
      expect(next).to.include({ action: 'reschedule', waitingFor: 'google_unreadable' });
      expect(next)
        .to.have.property('afterSeconds')
        .that.is.within(seconds, seconds * 1.2);
    }
    expect(decideRetry(outage, next.tries, false)).to.include({ action: 'record', outcome: outage });
  });

  it('does not count an attempt without a free slot, and fails after twenty rounds', () => {
    const full = { ...failure(true), retryAfterSeconds: 5, hadNoSlot: true } as Failed;
    const first = decideRetry(full, { faults: 1 }, true);
    expect(first).to.deep.equal({
      action: 'reschedule',
      tries: { faults: 1, slotWaits: 1 },
      afterSeconds: 5,
    });
    let next = first;
    for (let round = 2; round < 20; round++) next = decideRetry(full, next.tries, false);
    expect(next).to.include({ action: 'reschedule' });
    expect(decideRetry(full, next.tries, false)).to.include({ action: 'record', outcome: full });
  });

  it('ignores silence while the network is in doubt, and fails after three rounds', () => {
    const silence = answer({ reason: 'silence' });
    const first = decideRetry(silence, { silences: 1 }, true);
    expect(first).to.deep.equal({
      action: 'reschedule',
      tries: { silences: 1, doubts: 1 },
      afterSeconds: 10,
    });
    const second = decideRetry(silence, first.tries, true);
    expect(second).to.include({ action: 'reschedule' });
    const third = decideRetry(silence, second.tries, true);
    expect(third).to.have.nested.property('outcome.error', 'checker_unreachable');
  });
});
