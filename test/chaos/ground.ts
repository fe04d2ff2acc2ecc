import { Random } from '../support/random.ts';
import { Client } from './client.ts';
import { Crew } from './crew.ts';
import { ChaosDatabase } from './database.ts';
import type { Journal } from './journal.ts';
import { World } from './world.ts';

/** What every fault run stands on. */
export interface Ground {
  random: Random;
  journal: Journal;
  /** Aborted when the run is to end: its time is up, or somebody pressed Ctrl-C. */
  over: AbortSignal;
  world: World;
  database: ChaosDatabase;
  crew: Crew;
  client: Client;
}

interface Setting {
  seed: number;
  journal: Journal;
  timeoutMs: number;
  print: (line: string) => void;
  /** Aborting it ends the run and everything it started. */
  signal?: AbortSignal;
  /** Of the calls of search providers, how many fail, where that is not as the world has it. */
  faultShare?: number;
  /** Makes a database that is not of one Postgres, or not migrated by this version. */
  openDatabase?: () => Promise<ChaosDatabase>;
}

interface Run<Proof> {
  /** All that happens on the ground, up to the proof of how it ended. */
  play: (ground: Ground) => Promise<Proof>;
  /** What else was not as it must be. */
  shortcomings?: (ground: Ground, proof: Proof | null) => string[];
}

interface Ending<Proof> {
  /** Cleared away; what was noted on it is still there. */
  ground: Ground;
  /** Null when the run did not come to its end. */
  proof: Proof | null;
  /** Everything that was not as it must be; empty when all is well. */
  problems: string[];
}

/**
 * Plays a run and clears its ground away, however it ends. What a run throws is a problem of it; where there is one,
 * the logs of its processes are kept.
 */
export async function onGround<Proof extends { problems: string[] }>(
  { seed, journal, timeoutMs, print, signal, faultShare, openDatabase = ChaosDatabase.start }: Setting,
  { play, shortcomings = () => [] }: Run<Proof>,
): Promise<Ending<Proof>> {
  const over = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  const random = new Random(seed);
  const world = await World.open(random, faultShare);
  const database = await openDatabase();
  const crew = new Crew(database, world);
  const client = new Client(() => crew.webs(), random, over);
  const ground = { random, journal, over, world, database, crew, client };
  const endAll = () => {
    crew.killAll();
    database.abandon();
  };
  process.once('exit', endAll);
  let proof: Proof | null = null;
  try {
    proof = await play(ground);
  } catch (error) {
    journal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    crew.killAll();
    await world.close();
  }
  const problems = [...journal.problems, ...(proof?.problems ?? []), ...shortcomings(ground, proof)];
  if (problems.length > 0) print(`The logs of all processes are in ${database.folder}/logs`);
  process.off('exit', endAll);
  await database.stop({ isKept: problems.length > 0 });
  return { ground, proof, problems };
}
