import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { environmentOf } from './processes.ts';
import { serve, type TestSite } from './web.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the server of a run', () => {
  let runtime: TestSite;
  const asked: string[] = [];

  before(async () => {
    runtime = await serve((req, res) => {
      asked.push(`${req.method} ${req.url?.replace(/^\/v[\d.]+/, '')}`);
      res.setHeader('Content-Type', 'application/json');
      const knows = /_ping|info|version/.test(req.url ?? '');
      res.writeHead(knows ? 200 : 500).end(knows ? '{"ApiVersion":"1.47"}' : '{"message":"no such luck"}');
    });
  });

  after(() => runtime.close());

  it('is embedded when a runtime cannot start the image, which is said, and taken away when no template can be made', async () => {
    const DOCKER_HOST = `tcp://127.0.0.1:${runtime.port}`;
    // A cluster whose second node nobody is at: its first is asked before, and no template can be made.
    const TEST_CITUS_NODES = 'postgres://127.0.0.1:1/none';
    const env = { DOCKER_HOST, TEST_POSTGRES_IMAGE: 'postgres:nowhere', TEST_CITUS_NODES };
    const { said, ...found } = await leftBy('postgres.ts', 'startServer', env);
    expect(found).to.deep.equal({
      problem: 'connect ECONNREFUSED 127.0.0.1:1',
      left: [false],
    });
    expect(said)
      .to.include('does not start postgres:nowhere, so Postgres is embedded')
      .and.include('no such luck');
    expect(asked).to.include('GET /info');
  });

  it('is embedded without a word for no image, and taken away when the modules cannot be compiled', async () => {
    asked.length = 0;
    const DOCKER_HOST = `tcp://127.0.0.1:${runtime.port}`;
    const env = { DOCKER_HOST, TEST_POSTGRES_IMAGE: '' };
    const found = await leftBy('hooks.ts', 'mochaGlobalSetup', env, `process.execPath = '/nowhere/node'`);
    expect(found).to.deep.equal({ problem: 'spawn /nowhere/node ENOENT', left: [false], said: '' });
    expect(asked).to.deep.equal([]);
  });
});

/**
 * How a beginning of a run fails in a process of its own, whether the folders it made are still there, and what it said
 * of trouble.
 */
async function leftBy(
  module: string,
  begin: string,
  env: Record<string, string>,
  trouble = '',
): Promise<{ problem: string; left: boolean[]; said: string }> {
  const script = `import { existsSync } from 'node:fs';
    import files from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    const { mkdtemp } = files;
    const made = [];
    files.mkdtemp = async (prefix) => made[made.push(await mkdtemp(prefix)) - 1];
    syncBuiltinESMExports();
    const { ${begin} } = await import('./test/support/${module}');
    ${trouble}
    const problem = await ${begin}().catch(({ message }) => message);
    console.log(JSON.stringify({ problem, left: made.map(existsSync) }));`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: root, env: environmentOf(env) });
  return { ...JSON.parse(stdout), said: stderr };
}
