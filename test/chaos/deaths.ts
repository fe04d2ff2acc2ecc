import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind, Member } from './crew.ts';
import type { Fate } from './plan.ts';
import { type Stage, until } from './stage.ts';

/** The platform kills a process 30 s after SIGTERM. */
const stopMaxMs = 25_000;
const triesMax = 3;
const pointTimeoutMs = 60_000;

/** Starts the processes of one slot one after the other, and ends each process as planned. */
export async function liveAndDie(stage: Stage, kind: Kind, fates: Fate[]): Promise<void> {
  for (const fate of fates) {
    for (let tries = 1; !(await meet(stage, kind, fate)); tries++) {
      if (tries < triesMax) continue;
      stage.journal.complain(`no ${kind} reached ${fate.by} in ${tries} tries`);
      break;
    }
  }
}

/** Returns false if the process never reached its fail point. */
async function meet(stage: Stage, kind: Kind, fate: Fate): Promise<boolean> {
  stage.over.throwIfAborted();
  const member = await stage.crew.start(kind, fate);
  if ('nth' in fate) return dieAtPoint(stage, member, fate);
  await sleep(fate.afterMs, undefined, { signal: stage.over });
  if (fate.by === 'kill') await kill(stage, member);
  if (fate.by === 'freeze') await freeze(stage, member, fate.forMs);
  if (fate.by !== 'kill') await terminate(stage, member);
  return true;
}

async function dieAtPoint(stage: Stage, member: Member, { by, nth }: Extract<Fate, { nth: number }>) {
  const isDead = () => member.hasEnded;
  const what = `${member.name} at ${by} (${nth})`;
  const passed = await until(stage, isDead, { timeoutMs: pointTimeoutMs, what }).then(
    () => true,
    () => false,
  );
  if (!passed) member.kill('SIGKILL');
  await member.ended;
  const inFlight = await stage.world.witness.died(member.name);
  if (passed) stage.journal.died(member.name, member.kind, by, inFlight);
  return passed;
}

/** Sends SIGKILL; to a worker as soon as it has checks in flight, or after 15 s. */
async function kill(stage: Stage, member: Member): Promise<void> {
  const { witness } = stage.world;
  const isBusy = () => member.kind === 'web' || witness.inFlight(member.name) > 0;
  await until(stage, isBusy, { timeoutMs: 15_000, what: `${member.name} has work` }).catch(() => {});
  member.kill('SIGKILL');
  await member.ended;
  const inFlight = await witness.died(member.name);
  stage.journal.died(member.name, member.kind, 'kill', inFlight);
}

async function freeze({ journal, over }: Stage, member: Member, forMs: number): Promise<void> {
  member.kill('SIGSTOP');
  journal.say(`${member.name} frozen for ${forMs / 1000} s`);
  await sleep(forMs, undefined, { signal: over }).finally(() => member.kill('SIGCONT'));
  await sleep(3000, undefined, { signal: over });
}

/** Sends SIGTERM: the process must exit with 0 in time, and answer every request that it had received. */
export async function terminate(
  { client, journal }: Pick<Stage, 'client' | 'journal'>,
  member: Member,
): Promise<void> {
  const inHand = client.inHand(member);
  const startedMs = performance.now();
  member.kill('SIGTERM');
  const late = setTimeout(() => member.kill('SIGKILL'), stopMaxMs + 5000);
  const exit = await member.ended;
  clearTimeout(late);
  await sleep(50);
  const ms = performance.now() - startedMs;
  const cutOff = inHand.filter((request) => request.isCutOff).length;
  journal.stopped({ name: member.name, exit, ms, cutOff });
  if (exit !== 0 || ms > stopMaxMs) journal.complain(`${member.name} did not stop cleanly: ${exit}`);
  if (cutOff > 0) journal.complain(`${member.name} left ${cutOff} requests unanswered`);
}
