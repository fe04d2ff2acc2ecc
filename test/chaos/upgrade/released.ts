import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Environment } from '../../../config.ts';
import { environmentOf } from '../../support/processes.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const longMs = 10 * 60_000;

/** Another version of ours with its own modules, in a folder that is thrown away. */
export class Released {
  readonly home: string;

  private constructor(home: string) {
    this.home = home;
  }

  /** Takes a commit out of the repository and installs what it names. Rejects with what git or npm said. */
  static async unpack(commit: string): Promise<Released> {
    const home = await mkdtemp(join(tmpdir(), 'sonde-released-'));
    const archive = join(home, 'released.tar');
    await run('git', ['archive', '--output', archive, commit], { cwd: root });
    await run('tar', ['xf', archive], { cwd: home });
    await run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: home, timeout: longMs });
    return new Released(home);
  }

  /** One of its scripts, such as `admin/main.ts`; resolves with what it printed, rejects when it fails. */
  async run(script: string[], env: Environment): Promise<string> {
    return runScript(this.home, script, env);
  }

  async remove(): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
  }
}

/** A script of this version. */
export function runNow(script: string[], env: Environment): Promise<string> {
  return runScript(root, script, env);
}

async function runScript(cwd: string, script: string[], env: Environment): Promise<string> {
  const { stdout } = await run(process.execPath, script, { cwd, env: environmentOf(env), timeout: longMs });
  return stdout;
}
