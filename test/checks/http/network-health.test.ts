import { expect } from 'chai';
import { createCanary, NetworkHealth } from '../../../checks/http/network-health.ts';

describe('network health', () => {
  let health: NetworkHealth;
  let isCanaryWell: boolean;
  let canaryAsked: number;

  beforeEach(() => {
    isCanaryWell = false;
    canaryAsked = 0;
    const canary = async () => {
      canaryAsked += 1;
      return isCanaryWell;
    };
    health = new NetworkHealth(canary);
  });

  it('is in doubt after 20 checks of 5 hosts without a connection, until one connects', async () => {
    for (let check = 0; check < 19; check++) health.observe(1, `host${check % 5}`, 'unreachable');
    expect(await health.isInDoubt()).to.equal(false);
    expect(canaryAsked).to.equal(0);
    health.observe(1, 'host4', 'unreachable');
    expect(await health.isInDoubt()).to.equal(true);
    health.observe(1, 'host1', 'answered');
    expect(await health.isInDoubt()).to.equal(false);
  });

  it('is not in doubt for failures of one account while the canary answers', async () => {
    isCanaryWell = true;
    for (let check = 0; check < 500; check++) health.observe(1, `host${check}`, 'unreachable');
    expect(await health.isInDoubt()).to.equal(false);
    isCanaryWell = false;
    expect(await health.isInDoubt()).to.equal(true);
  });

  it('is in doubt when many accounts have a few failures each', async () => {
    isCanaryWell = true;
    for (let check = 0; check < 21; check++) health.observe(check % 7, `host${check}`, 'unreachable');
    expect(await health.isInDoubt()).to.equal(true);
    expect(canaryAsked).to.equal(0);
  });

  it('is not in doubt because of one dead site, or one dead zone', async () => {
    for (let check = 0; check < 500; check++) health.observe(1, `host${check % 4}`, 'unreachable');
    for (let check = 0; check < 500; check++) health.observe(1, `host${check}.zone.example`, 'unreachable');
    expect(await health.isInDoubt()).to.equal(false);
  });

  it('is not in doubt for one account while another one is active, with a few dead links of its own', async () => {
    isCanaryWell = true;
    health.observe(2, 'fine', 'answered');
    for (let check = 0; check < 500; check++) health.observe(1, `host${check}`, 'unreachable');
    for (let check = 0; check < 4; check++) health.observe(2, `dead${check}`, 'unreachable');
    expect(await health.isInDoubt()).to.equal(false);
  });

  it('is not in doubt for a few accounts of one person while the canary answers', async () => {
    isCanaryWell = true;
    for (let check = 0; check < 500; check++) health.observe(check % 5, `host${check}`, 'unreachable');
    expect(await health.isInDoubt()).to.equal(false);
    isCanaryWell = false;
    expect(await health.isInDoubt()).to.equal(true);
  });

  it('is in doubt for two accounts, though a canary answers that may be inside the broken network', async () => {
    isCanaryWell = true;
    health = new NetworkHealth(async () => isCanaryWell, { isOutside: false });
    for (let check = 0; check < 16; check++) health.observe(1, `host${check}`, 'unreachable');
    for (let check = 0; check < 4; check++) health.observe(2, `dead${check}`, 'unreachable');
    expect(await health.isInDoubt()).to.equal(false);
    health.observe(2, 'dead5', 'unreachable');
    expect(await health.isInDoubt()).to.equal(true);
  });

  it('follows the canary also beside another account whose targets reject or do not answer', async () => {
    for (let check = 0; check < 20; check++) {
      health.observe(2, 'dead', 'none');
      health.observe(1, `host${check}`, 'unreachable');
    }
    expect(await health.isInDoubt()).to.equal(true);
    expect(canaryAsked).to.equal(1);
  });
});

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
