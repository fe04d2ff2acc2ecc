import { expect } from 'chai';
import { readConfig } from '../../config/config.ts';
import { deadlineOrder, deadlines } from '../../config/deadlines.ts';

describe('deadlines', () => {
  for (const [earlier, later, why] of deadlineOrder) {
    it(`${earlier.join(' and ')} before ${later}, or ${why}`, () => {
      const sumMs = earlier.reduce((sum, name) => sum + deadlines[name], 0);
      expect(sumMs).to.be.below(deadlines[later]);
    });
  }

  it('are all used in these pairs', () => {
    const named = new Set(deadlineOrder.flatMap(([earlier, later]) => [...earlier, later]));
    expect([...named]).to.have.members(Object.keys(deadlines));
  });

  it('limit the settings of the operator', () => {
    const DATABASE_URL = 'postgres://localhost/sonde';
    const withTimeout = (ms: number) => readConfig({ DATABASE_URL, CHECK_TIMEOUT_MS: String(ms) });
    expect(withTimeout(deadlines.httpCheckMaxMs).checks.timeoutMs).to.equal(deadlines.httpCheckMaxMs);
    expect(() => withTimeout(deadlines.httpCheckMaxMs + 1)).to.throw('CHECK_TIMEOUT_MS');
  });
});
