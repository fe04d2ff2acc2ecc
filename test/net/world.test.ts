import { expect } from 'chai';
import { namespaceObstacle, runInNamespace } from '../support/namespace.ts';

// In the namespace, every address belongs to the machine itself, so the listeners see every connection.
describe('in a network namespace where every address is this machine', () => {
  let passed: string[] = [];
  let failed: string[] = [];

  before(async function () {
    const obstacle = await namespaceObstacle();
    if (obstacle) {
      process.stdout.write(`    skipped, since this machine allows no network namespaces (${obstacle})\n`);
      this.skip();
    }
    // Run both at once: half of the time is the start, with a database of its own.
    ({ passed, failed } = await runInNamespace(['test/world/fetcher.ts', 'test/world/service.ts']));
  });

  it('checks and deliveries contact nothing private, and everything public', async () => {
    expect(failed).to.deep.equal([]);
    const count = (group: string) => passed.filter((title) => title.includes(` ${group}: `)).length;
    const counts = ['address', 'name', 'rebinding', 'redirect', 'public'].map(count);
    process.stdout.write(
      `      ${counts[0]} addresses, ${counts[1]} names, ${counts[2]} rebindings, ${counts[3]} redirects, ${counts[4]} public\n`,
    );
    expect(count('address')).to.be.at.least(150);
  });

  it('the API, the worker and the delivery job contact nothing private either', () => {
    expect(failed).to.deep.equal([]);
    expect(passed.filter((title) => title.startsWith('the service '))).to.have.lengthOf(4);
  });
});
