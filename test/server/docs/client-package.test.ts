import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { afterTest } from '../../support/after-test.ts';
import { useService } from '../../support/service.ts';

const run = promisify(execFile);
const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));

describe('the package that the service offers', () => {
  const service = useService();

  it('contains client and command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sonde-offered-'));
    afterTest(() => rm(folder, { recursive: true }));
    const res = await fetch(`${service.baseUrl}/client/sonde-client.tgz`);
    expect([res.status, res.headers.get('content-type')]).to.deep.equal([200, 'application/gzip']);
    await writeFile(join(folder, 'client.tgz'), Buffer.from(await res.arrayBuffer()));
    await run('tar', ['xzf', 'client.tgz'], { cwd: folder });
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['chardet', 'fflate', 'htmlparser2'])
      await symlink(join(packages, name), join(folder, 'node_modules', name));
    const { stdout } = await run('node', ['package/bin/sonde.js', '--help'], { cwd: folder });
    expect(stdout).to.match(/^Usage: sonde/);
    const guide = await (await fetch(`${service.baseUrl}/docs/client`)).text();
    expect(guide).to.match(/npm install http:\/\/\S+\/client\/sonde-client\.tgz/);
  });
});
