import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that is this caller's alone among all who wait here, in the order they came: between
 * two pieces of long work everybody else is served, however many pieces there are.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Long work that goes on in pieces. */
export interface Pace {
  /** To be awaited after work of some weight; a turn of the loop passes once a piece is full. */
  did(weight: number): Promise<void>;
}

export function createPace(weightPerTurn: number): Pace {
  let weightSoFar = 0;
  return {
    did: async (weight) => {
      weightSoFar += weight;
      if (weightSoFar < weightPerTurn) return;
      weightSoFar = 0;
      await nextTurn();
    },
  };
}
