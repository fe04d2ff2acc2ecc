import { expect } from 'chai';
import { NetworkHealth } from '../../../checks/http/network-health.ts';

describe('network health', () => {
  it('is in doubt after 20 checks of 5 hosts without an HTTP answer, until one succeeds', () => {
    const health = new NetworkHealth();
    for (let check = 0; check < 19; check++) health.observe(`host${check % 5}`, false);
    expect(health.isInDoubt).to.equal(false);
    health.observe('host4', false);
    expect(health.isInDoubt).to.equal(true);
    health.observe('host1', true);
    expect(health.isInDoubt).to.equal(false);
  });

  it('is not in doubt because one site is dead', () => {
    const health = new NetworkHealth();
    for (let check = 0; check < 500; check++) health.observe(`host${check % 4}`, false);
    expect(health.isInDoubt).to.equal(false);
  });
});
