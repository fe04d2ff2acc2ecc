import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const mocha = fileURLToPath(import.meta.resolve('mocha/bin/mocha.js'));

// All addresses are local, so every packet arrives at this machine.
const everywhereIsHere =
  'ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo';

/** Results of test files that ran in a network namespace. */
interface NamespacedRun {
  passed: string[];
  /** Title and message of each. */
  failed: string[];
}

/** Returns why this machine cannot create such a namespace, or null. */
async function namespaceObstacle(): Promise<string | null> {
  return inNamespace(everywhereIsHere).then(
    () => null,
    (error: Error) => error.message.trim().split('\n').at(-1) ?? 'unshare failed',
  );
}

/** Runs test files of `test/world` in a namespace where every address is this machine. */
async function runInNamespace(files: string[]): Promise<NamespacedRun> {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-world-'));
  const output = join(folder, 'report.json');
  const options = `--no-config --require ./test/support/hooks.ts --timeout 300000 --reporter json --reporter-option output=${output}`;
  try {
    // If a test failed, the exit code is not 0, but the report has the result.
    const ended = await inNamespace(
      `${everywhereIsHere} && exec "${process.execPath}" "${mocha}" ${options} ${files.join(' ')}`,
    ).catch((error: Error) => error);
    const report = await readFile(output, 'utf8').catch(() => Promise.reject(ended));
    const { passes, failures } = JSON.parse(report) as Report;
    return {
      passed: passes.map(({ fullTitle }) => fullTitle),
      failed: failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Report {
  passes: Array<{ fullTitle: string }>;
  failures: Array<{ fullTitle: string; err: { message?: string } }>;
}

/** Runs a script in a namespace: as root directly, otherwise in a user namespace. */
function inNamespace(script: string): Promise<unknown> {
  const flags = process.getuid?.() === 0 ? ['--net'] : ['--map-root-user', '--net'];
  // Databases and containers of the caller are not reachable from there.
  const env = {
    ...process.env,
    TEST_DATABASE_URL: undefined,
    TEST_CITUS_NODES: undefined,
    DATABASE_URL: undefined,
    TEST_POSTGRES_IMAGE: '',
  };
  return run('unshare', [...flags, 'sh', '-c', script], { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
}

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
    // One process runs both, because its start and its database take half of the time.
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
