import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
}

describe('the packages of production', () => {
  it('run nothing at installation', () => {
    const lock = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
    const packages: Record<string, Locked> = JSON.parse(lock).packages;
    const running = Object.entries(packages).filter(
      ([, { dev, devOptional, hasInstallScript }]) => hasInstallScript && !dev && !devOptional,
    );
    expect(running.map(([name]) => name)).to.deep.equal([]);
  });
});
