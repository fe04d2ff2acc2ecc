import { expect } from 'chai';
import type { Again, Failed, Outcome } from '../../checks/outcome.ts';
import { decide } from '../../worker/retry-policy.ts';

const answer = (again: Again | null): Outcome => ({ state: 'success', answer: {}, tally: [], again });
const failure = (isRetryable: boolean): Failed => ({
  state: 'failed',
  error: 'checker_unreachable',
  isRetryable,
});

describe('decide', () => {
  it('records an answer, also while the network is in doubt', () => {
    for (const isInDoubt of [false, true])
      expect(decide(answer(null), {}, isInDoubt)).to.include({ act: 'record' });
  });

  it('retries a silent target once, then accepts the failure', () => {
    const first = decide(answer({ reason: 'silence' }), {}, false);
    expect(first).to.deep.equal({ act: 'retry', tries: { silences: 1 }, pause: null });
    expect(decide(answer({ reason: 'silence' }), first.tries, false)).to.include({ act: 'record' });
  });

  it('retries a busy host up to twice, after a pause, and accepts its last answer', () => {
    const busy = answer({ reason: 'throttled', afterSeconds: 7 });
    const first = decide(busy, {}, false);
    expect(first).to.deep.equal({ act: 'retry', tries: { refusals: 1 }, pause: { afterSeconds: 7 } });
    const second = decide(busy, first.tries, false);
    expect(second).to.include({ act: 'retry' });
    expect(decide(busy, second.tries, false)).to.include({ act: 'record', outcome: busy });
  });

  it('retries once after a fault of ours', () => {
    const first = decide(failure(true), {}, false);
    expect(first).to.include({ act: 'retry' });
    expect(decide(failure(true), first.tries, false)).to.include({ act: 'record' });
    expect(decide(failure(false), {}, false)).to.include({ act: 'record' });
  });

  it('leaves targets that a process without a network could not reach to another process', () => {
    const later = { act: 'reschedule', tries: { putBacks: 1 }, afterSeconds: 10 };
    expect(decide(failure(true), {}, true)).to.deep.equal(later);
    const broken = { ...failure(true), error: 'checker_failed' } as Outcome;
    expect(decide(broken, {}, true)).to.include({ act: 'retry' });
  });

  it('pauses as long as requested, up to a minute', () => {
    const failed = (retryAfterSeconds: number) => decide({ ...failure(true), retryAfterSeconds }, {}, false);
    expect(failed(15)).to.deep.equal({ act: 'reschedule', tries: { faults: 1 }, afterSeconds: 15 });
    expect(failed(3600)).to.include({ act: 'reschedule', afterSeconds: 60 });
  });

  it('retries after 5 s, 30 s, 2 and 5 minutes while the search providers are down, with jitter', () => {
    const outage: Failed = { state: 'failed', error: 'google_unreadable', isRetryable: true, isOutage: true };
    let next = decide(outage, {}, false);
    expect(next).to.include({ act: 'retry' });
    for (const seconds of [5, 30, 120, 300]) {
      next = decide(outage, next.tries, true);
      expect(next).to.include({ act: 'reschedule', waitingFor: 'google_unreadable' });
      expect(next)
        .to.have.property('afterSeconds')
        .that.is.within(seconds, seconds * 1.2);
    }
    expect(decide(outage, next.tries, false)).to.include({ act: 'record', outcome: outage });
  });

  it('does not count an attempt without a free slot, and fails after twenty rounds', () => {
    const full = { ...failure(true), retryAfterSeconds: 5, isPutOff: true } as Outcome;
    const first = decide(full, { faults: 1 }, true);
    expect(first).to.deep.equal({ act: 'reschedule', tries: { faults: 1, putOffs: 1 }, afterSeconds: 5 });
    let next = first;
    for (let round = 2; round < 20; round++) next = decide(full, next.tries, false);
    expect(next).to.include({ act: 'reschedule' });
    expect(decide(full, next.tries, false)).to.include({ act: 'record', outcome: full });
  });

  it('ignores silence while the network is in doubt, and fails after three rounds', () => {
    const silence = answer({ reason: 'silence' });
    const first = decide(silence, { silences: 1 }, true);
    expect(first).to.deep.equal({ act: 'reschedule', tries: { silences: 1, putBacks: 1 }, afterSeconds: 10 });
    const second = decide(silence, first.tries, true);
    expect(second).to.include({ act: 'reschedule' });
    const third = decide(silence, second.tries, true);
    expect(third).to.have.nested.property('outcome.error', 'checker_unreachable');
  });
});
