import { expect } from 'chai';
import { createCanary } from '../../../checks/http/network-health.ts';

describe('the canary', () => {
  it('sends one request for all callers, and no other for five seconds', async () => {
    let nowMs = 0;
    const asked: PromiseWithResolvers<boolean>[] = [];
    const canary = createCanary(
      () => {
        const answer = Promise.withResolvers<boolean>();
        asked.push(answer);
        return answer.promise;
      },
      () => nowMs,
    );
    const first = Promise.all([canary(), canary()]);
    nowMs = 60_000;
    const second = canary();
    asked[0]?.resolve(false);
    expect([...(await first), await second]).to.deep.equal([false, false, false]);
    nowMs += 4_999;
    expect(await canary()).to.equal(false);
    expect(asked).to.have.lengthOf(1);
    nowMs += 1;
    const third = canary();
    asked[1]?.resolve(true);
    expect(await third).to.equal(true);
    expect(asked).to.have.lengthOf(2);
  });
});
