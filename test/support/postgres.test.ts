import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { environmentOf } from './processes.ts';
import { serve, type TestSite } from './web.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the server of a run in a process of its own and answers what that says. */
async function startServer(env: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  const script = `import { startServer } from './test/support/postgres.ts';
    const stop = await startServer();
    console.log(new URL(process.env.SONDE_TEST_SERVER).hostname);
    await stop();`;
  const args = ['--input-type=module', '--eval', script];
  return run(process.execPath, args, { cwd: root, env: environmentOf(env) });
}

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

  it('is embedded when a container runtime answers and cannot start the image, and that is said', async () => {
    const DOCKER_HOST = `tcp://127.0.0.1:${runtime.port}`;
    const { stdout, stderr } = await startServer({ DOCKER_HOST, TEST_POSTGRES_IMAGE: 'postgres:nowhere' });
    expect(stdout).to.equal('127.0.0.1\n');
    expect(stderr)
      .to.include('does not start postgres:nowhere, so Postgres is embedded')
      .and.include('no such luck');
    expect(asked).to.include('GET /info');
  });

  it('is stopped and taken away when no template can be made on it', async () => {
    // A cluster whose one node nobody is at.
    const TEST_CITUS_NODES = 'postgres://127.0.0.1:1/none';
    expect(await leftBy({ TEST_CITUS_NODES })).to.deep.equal({
      problem: 'ECONNREFUSED',
      left: [false],
      said: '',
    });
  });

  it('is embedded without a word for no image, and taken away when the modules cannot be compiled', async () => {
    asked.length = 0;
    const DOCKER_HOST = `tcp://127.0.0.1:${runtime.port}`;
    const found = await leftBy({ DOCKER_HOST }, `process.execPath = '/nowhere/node'`);
    expect(found).to.deep.equal({ problem: 'ENOENT', left: [false], said: '' });
    expect(asked).to.deep.equal([]);
  });
});

/**
 * How the beginning of a run without an image fails in a process of its own, whether the folders it made are still
 * there, and what it said of trouble.
 */
async function leftBy(
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
    const { mochaGlobalSetup } = await import('./test/support/hooks.ts');
    ${trouble}
    const problem = await mochaGlobalSetup().catch(({ code }) => code);
    console.log(JSON.stringify({ problem, left: made.map(existsSync) }));`;
  const args = ['--input-type=module', '--eval', script];
  const all = environmentOf({ TEST_POSTGRES_IMAGE: '', ...env });
  const { stdout, stderr } = await run(process.execPath, args, { cwd: root, env: all });
  return { ...JSON.parse(stdout), said: stderr };
}
