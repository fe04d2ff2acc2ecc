import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from '../crew.ts';
import { onGround } from '../ground.ts';
import { Journal } from '../journal.ts';
import { letAnyoneLook, makeMovable } from './moved-clock.ts';
import { dueMinute, Owner } from './owner.ts';
import { type MonitorProof, prove } from './proof.ts';
import {
  crewUp,
  dayAway,
  deadlyRound,
  expectQuiet,
  type MonitorScale,
  type MonitorStage,
  ordinaryRound,
} from './rounds.ts';

export interface MonitorOutcome {
  seed: number;
  journal: Journal;
  proof: MonitorProof | null;
  kills: Record<Kind, number>;
  /** Kills of a process that was starting runs just then. */
  caughtStarting: number;
  problems: string[];
}

export const long: MonitorScale = {
  owners: 4,
  monitorsEach: 10,
  crewEach: 5,
  deadlyRounds: 9,
  pairsPerRound: 3,
  stops: 3,
  timeoutMs: 20 * 60_000,
};

/** The same in little, for a busy machine. */
export const short: MonitorScale = {
  ...long,
  owners: 2,
  monitorsEach: 5,
  crewEach: 3,
  deadlyRounds: 3,
  pairsPerRound: 2,
  stops: 1,
};

/**
 * Monitors fall due again and again while web and worker are killed in it, Postgres is stopped, processes have clocks
 * an hour apart, and everything is away for a day; then every due time is held against what was run, charged and told.
 */
export async function runMonitorChaos({
  seed,
  scale,
  print,
  signal,
}: {
  seed: number;
  scale: MonitorScale;
  print: (line: string) => void;
  signal?: AbortSignal;
}): Promise<MonitorOutcome> {
  const journal = new Journal(print);
  const kills = { web: 0, worker: 0 };
  const caught = { starting: 0 };
  const { timeoutMs } = scale;
  const { proof, problems } = await onGround(
    { seed, journal, timeoutMs, print, signal },
    {
      play: async (ground) => {
        const owners = await Promise.all(Array.from({ length: scale.owners }, () => Owner.create(ground)));
        return play({ ...ground, scale, owners, kills, caught, dues: [] });
      },
    },
  );
  return { seed, journal, proof, kills, caughtStarting: caught.starting, problems };
}

async function play(stage: MonitorStage): Promise<MonitorProof> {
  const { database, owners, journal } = stage;
  await makeMovable(database);
  await crewUp(stage);
  for (const owner of owners) for (let nth = 0; nth < stage.scale.monitorsEach; nth++) await owner.watch();
  journal.say(
    `${owners.length * stage.scale.monitorsEach} monitors, due at minute ${dueMinute} of each hour`,
  );
  const stopping = new AbortController();
  const looking = setInterval(() => void letAnyoneLook(database).catch(() => {}), 500);
  const byHand = owners.map((owner) => keepRunning(owner, AbortSignal.any([stopping.signal, stage.over])));
  for (const one of byHand) one.catch(() => {});
  try {
    const stopsAt = new Set(
      stage.random
        .shuffled(Array.from({ length: stage.scale.deadlyRounds }, (_, nth) => nth))
        .slice(0, stage.scale.stops),
    );
    for (let nth = 0; nth < stage.scale.deadlyRounds; nth++) await deadlyRound(stage, nth, stopsAt.has(nth));
    stopping.abort();
    await Promise.all(byHand);
    await expectQuiet(stage);
    await dayAway(stage);
    await ordinaryRound(stage);
    await expectQuiet(stage);
  } finally {
    stopping.abort();
    clearInterval(looking);
  }
  return prove(database.db, owners, stage.dues, stage.world.received);
}

async function keepRunning(owner: Owner, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await owner.runByHand();
    await sleep(1500, undefined, { signal: stopping }).catch(() => {});
  }
}
