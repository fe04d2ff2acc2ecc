import { expect } from 'chai';
import { NetworkHealth } from '../../../checks/http/network-health.ts';

describe('network health', () => {
  let health: NetworkHealth;

  beforeEach(() => {
    health = new NetworkHealth();
  });

  it('is in doubt after 20 checks of 5 hosts that met nobody, until one is answered', () => {
    for (let check = 0; check < 19; check++) health.observe(1, `host${check % 5}`, 'nobody');
    expect(health.isInDoubt).to.equal(false);
    health.observe(1, 'host4', 'nobody');
    expect(health.isInDoubt).to.equal(true);
    health.observe(1, 'host1', 'answered');
    expect(health.isInDoubt).to.equal(false);
  });

  it('is not in doubt because one site is dead, or one zone', () => {
    for (let check = 0; check < 500; check++) health.observe(1, `host${check % 4}`, 'nobody');
    for (let check = 0; check < 500; check++) health.observe(1, `host${check}.zone.example`, 'nobody');
    expect(health.isInDoubt).to.equal(false);
  });

  it('is not in doubt for names that are refused, do not exist or refuse a connection', () => {
    for (let check = 0; check < 500; check++) health.observe(1, `host${check}`, 'nothing');
    expect(health.isInDoubt).to.equal(false);
  });

  it('is not put in doubt by one account while another is active, whose few dead links do not help it', () => {
    health.observe(2, 'fine', 'answered');
    for (let check = 0; check < 500; check++) health.observe(1, `host${check}`, 'nobody');
    for (let check = 0; check < 4; check++) health.observe(2, `dead${check}`, 'nobody');
    expect(health.isInDoubt).to.equal(false);
    health.observe(2, 'dead5', 'nobody');
    expect(health.isInDoubt).to.equal(true);
  });
});
