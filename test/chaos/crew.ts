import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../config/config.ts';
import { startProcess, type TestProcess } from '../support/processes.ts';
import { secretKey } from '../support/service.ts';
import type { ChaosDatabase } from './database.ts';
import type { Fate } from './plan.ts';
import type { World } from './world.ts';

const compiled = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

export type Kind = 'web' | 'worker';

/** A process of the run. */
export interface Member extends TestProcess {
  name: string;
  kind: Kind;
  /** Port of a web process. */
  baseUrl: string;
  hasEnded: boolean;
  /** A web process that customers call. */
  isPublic: boolean;
}

/** Differences from the processes of the Procfile. */
interface Setting {
  isWalledIn?: boolean;
  isPublic?: boolean;
}

/** Starts the processes of the Procfile, and ends all that are left. */
export class Crew {
  readonly members = new Set<Member>();
  readonly #children = new Set<ChildProcess>();
  readonly #logs: string;
  readonly #database: ChaosDatabase;
  readonly #world: World;
  #started = 0;

  constructor(database: ChaosDatabase, world: World) {
    this.#database = database;
    this.#world = world;
    this.#logs = `${database.folder}/logs`;
  }

  /**
   * Starts a process of the Procfile, or a process that ends at a fail point. Rejects if the process does not become
   * ready.
   */
  async start(
    kind: Kind,
    fate: Fate | null = null,
    { isWalledIn = false, isPublic = true }: Setting = {},
  ): Promise<Member> {
    this.#started += 1;
    const name = `${kind}-${this.#started}`;
    await mkdir(this.#logs, { recursive: true });
    const started = await startProcess(entryFor(kind, fate), this.#env(name, { isWalledIn }), ready, {
      wrapper: isWalledIn ? walledIn : [],
      logFile: `${this.#logs}/${name}.log`,
      onSpawn: (child) => this.#look(child),
    });
    const baseUrl = `http://127.0.0.1:${started.said}`;
    const member: Member = { ...started, name, kind, baseUrl, hasEnded: false, isPublic };
    this.members.add(member);
    void member.ended.then(() => {
      member.hasEnded = true;
      this.members.delete(member);
    });
    return member;
  }

  webs(): Member[] {
    return [...this.members].filter(({ kind, isPublic }) => kind === 'web' && isPublic);
  }

  workers(): Member[] {
    return [...this.members].filter(({ kind }) => kind === 'worker');
  }

  /** Kills all processes at once, also those that are not ready yet. Runs when our own process exits, too. */
  readonly killAll = (): void => {
    for (const child of this.#children) child.kill('SIGKILL');
  };

  #look(child: ChildProcess): void {
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
  }

  #env(name: string, { isWalledIn = false } = {}): Environment {
    return {
      ...this.#database.env(isWalledIn ? 'socket' : 'loopback', name),
      SECRET_KEY: secretKey,
      PORT: '0',
      TARGET_ALLOW_CIDRS: '127.0.0.0/8',
      // High enough for all customers, including the allowance.
      RATE_LIMIT_PER_MINUTE: '1000000',
      // Starting a process is mostly compilation, and the run starts many processes.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiled,
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
      ...this.#world.envFor(name),
    };
  }
}

/** Command prefix for a new network namespace, in which even the loopback interface is down. */
export const walledIn = ['unshare', '--net'];

const ready = /taking jobs|is listening.*"port":(\d+).*\n|^ready (\d*)\n/m;

function entryFor(kind: Kind, fate: Fate | null): string[] {
  if (fate && 'nth' in fate) return ['test/support/faulty.ts', kind, fate.by, String(fate.nth)];
  return [kind === 'web' ? 'server/main.ts' : 'worker/main.ts'];
}
