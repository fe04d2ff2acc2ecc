import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, median, ratio, spread } from '../figures.ts';
import type { Customer, Stack } from '../stack.ts';

/** How many greedy accounts there are. */
const sizes = [1, 4, 10, 100];
/** None is to have less than half of its share. */
const shareMissedMax = 2;
const quietPieces = 9;
const warmUp = 5;

/** A victim, a crowd beside it, and what the victim is promised. */
export interface Neighbourhood {
  what: string;
  credits: number;
  /** One piece of the victim's work; rejects when there was no answer. Milliseconds. */
  work(victim: Customer): Promise<number>;
  /** Makes so many accounts ask for all they can; resolves when that shows, with the way to end it. */
  gather(greedy: Customer[]): Promise<() => Promise<void>>;
  /** What the formula promises for one piece beside n of them, in terms of the quiet time. */
  promisedMs(n: number, quietMs: number): number;
  rounds: number;
  /** Pieces asked for at the same time, each by a victim of its own; one unless told otherwise. */
  victims?: number;
}

/** Measures a neighbourhood in quiet, then beside each size of crowd. */
export async function measureBeside(stack: Stack, place: Neighbourhood): Promise<Figure[]> {
  const { victims = 1 } = place;
  await workOf(stack, place, warmUp, 1);
  // As many at once as beside the crowds, and as new: their own work is no neighbour's doing.
  const quietMs = median(await workOf(stack, place, Math.ceil(quietPieces / victims), victims));
  const figures: Figure[] = [];
  for (const n of sizes) {
    const greedy = await Promise.all(Array.from({ length: n }, () => stack.customer(1_000_000)));
    const leave = await place.gather(greedy);
    const times = await workOf(stack, place, place.rounds, victims);
    await leave();
    figures.push(figureOf(place, { n, quietMs, times }));
  }
  return figures;
}

async function workOf(
  stack: Stack,
  place: Neighbourhood,
  rounds: number,
  victims: number,
): Promise<number[]> {
  const each = Array.from({ length: victims }, async () => {
    const victim = await stack.customer(place.credits);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(await place.work(victim).catch(() => Number.POSITIVE_INFINITY));
      await pause(20);
    }
    return times;
  });
  return (await Promise.all(each)).flat();
}

function figureOf(
  { what, promisedMs }: Neighbourhood,
  { n, quietMs, times }: { n: number; quietMs: number; times: number[] },
): Figure {
  const promised = promisedMs(n, quietMs);
  const note = `${spread(times)}, promised ${promised.toFixed(0)} ms, quiet ${quietMs.toFixed(1)} ms`;
  return ratio(`${what} beside ${n}`, [median(times), promised], { atMost: shareMissedMax, note });
}

/** An address on loopback of its own for each of an account's targets, so that no limit of a host is in the way. */
export function hostOf(account: number, index: number): string {
  return `127.${account + 1}.${Math.floor(index / 250) + 1}.${(index % 250) + 1}`;
}
