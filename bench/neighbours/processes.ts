import type { TestProcess } from '../../test/support/processes.ts';
import type { Crowd } from '../crowd.ts';
import { startInOwnSession } from '../own-session.ts';

export interface Outside {
  port: number;
  /** Answers whatever hangs, and for a while whatever would. */
  release(): Promise<void>;
  hold(): Promise<void>;
  stop(): Promise<void>;
}

const said = /ready ([^\n]*)\n/;

/** The targets and the provider of `outside.ts`. */
export async function startOutside({ slowMs = 0, searchMs = 0 } = {}): Promise<Outside> {
  const entry = ['bench/outside.ts', String(slowMs), String(searchMs)];
  const process = await startInOwnSession(entry, {}, said, { hasInput: true });
  return {
    port: Number(process.said),
    release: async () => void (await process.ask('release')),
    hold: async () => void (await process.ask('hold')),
    stop: () => process.stop(),
  };
}

/** A process in which crowds gather. */
export async function startCrowd(crowd: Crowd): Promise<TestProcess> {
  const process = await startInOwnSession(['bench/crowd.ts'], {}, said, { isAsked: true });
  await process.ask(JSON.stringify(crowd));
  return process;
}

/** Ends it once its requests in flight are answered, and says how often which status came. */
export async function disperse(crowd: TestProcess): Promise<Record<string, number>> {
  const statuses = JSON.parse(await crowd.ask('stop'));
  await crowd.ended;
  return statuses;
}
