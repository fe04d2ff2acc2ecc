import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const check = fileURLToPath(new URL('../node-version.cjs', import.meta.url));

describe('the check of the Node version', () => {
  /** Runs a program with that version of Node. */
  const under = (version: string) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); require('${check}'); console.log('runs');`;
    return spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' });
  };

  it('exits with one line for an older one, and is silent for others', () => {
    for (const version of ['18.20.8', '20.20.2', '22.17.1']) {
      const { status, stdout, stderr } = under(version);
      expect([version, status, stdout]).to.deep.equal([version, 1, '']);
      expect(stderr).to.match(
        /^Sonde needs Node 24 \(22\.18 at least\); this is v\S+\. For development, npm ci installs it\. .*one-machine\.md\.\n$/,
      );
    }
    for (const version of ['22.18.0', '24.0.0', '25.1.0']) expect(under(version).stdout).to.equal('runs\n');
  });

  it('comes first in every command', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    for (const name of ['start', 'web', 'worker', 'migrate', 'admin'])
      expect(scripts[name]).to.match(/^(?:exec )?node (?:--\S+ )*-r \.\/node-version\.cjs \S+\.ts$/);
  });
});
