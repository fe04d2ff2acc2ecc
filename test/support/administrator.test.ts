import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { asAdmin } from '../citus/cluster.ts';
import { administer, administratorName } from './administrator.ts';
import { eventually } from './eventually.ts';
import { environmentOf } from './processes.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('what is done as superuser', () => {
  let url: string;
  before(() => {
    url = String(process.env.SONDE_TEST_SERVER);
  });

  const sessions = async () => {
    const rows = await asAdmin(url, [
      `select pid from pg_stat_activity where application_name = '${administratorName}'`,
    ]);
    return rows.map(({ pid }) => Number(pid));
  };

  it('is done in one session, and in another when that was ended', async () => {
    await Promise.all([administer(url, 'select 1'), administer(url, 'select 2')]);
    const [first, ...others] = await sessions();
    expect(others).to.deep.equal([]);
    await asAdmin(url, [`select pg_terminate_backend(${first})`]);
    const does = () =>
      administer(url, 'select 3').then(
        () => true,
        () => null,
      );
    await eventually(does);
    expect(await sessions())
      .to.have.length(1)
      .and.not.include(first);
  });

  it('says what is wrong with a statement, and does the next', async () => {
    const problem = await administer(url, 'select nothing').catch(({ code }) => code);
    expect(problem).to.equal('42703');
    await administer(url, 'select 1');
  });

  it('keeps no process from ending', async () => {
    const script = `const { administer } = await import('./test/support/administrator.ts');
      await administer('${url}', 'select 1');
      console.log('done');`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await run(process.execPath, args, { cwd: root, env: environmentOf({}) });
    expect(stdout).to.equal('done\n');
  });
});
