import { expect } from 'chai';
import { seedOfRun } from '../support/seed.ts';
import { short } from './plan.ts';
import { report } from './report.ts';
import { runChaos } from './run.ts';

describe('chaos', function () {
  this.timeout(short.timeoutMs + 30_000);

  it('processes and Postgres fail while they work: nothing is lost, nothing charged twice', async () => {
    const seed = seedOfRun();
    const lines: string[] = [];
    const outcome = await runChaos({ seed, scale: short, print: (line) => lines.push(line) });
    // Replay it with TEST_SEED=… here, or with npm run chaos -- --short --seed …
    process.stdout.write(`      seed ${seed}\n`);
    expect(outcome.problems, `${lines.join('\n')}\n\n${report(outcome)}`).to.deep.equal([]);
  });
});
