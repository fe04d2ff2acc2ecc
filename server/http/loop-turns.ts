const waiting = new Map<number, Array<() => void>>();
let isServing = false;

/**
 * Waits for a turn of the event loop that is this caller's alone among all who wait here: between two pieces of long
 * work everybody else is served, however many pieces there are. Accounts take turns, so that one with several long
 * bodies is no faster than one with a single body.
 */
export function nextTurn(accountId: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const line = waiting.get(accountId);
  if (line) line.push(resolve);
  else waiting.set(accountId, [resolve]);
  if (!isServing) setImmediate(serve);
  isServing = true;
  return promise;
}

/** Does an account's long work, whose pieces end where it yields, one to a turn. */
export async function inTurns<T>(accountId: number, work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn(accountId);
  }
}

function serve(): void {
  // A map keeps its order: the first is the account that has been without a turn for the longest time.
  const [first] = waiting;
  if (first) {
    const [accountId, line] = first;
    waiting.delete(accountId);
    line.shift()?.();
    if (line.length > 0) waiting.set(accountId, line);
  }
  isServing = waiting.size > 0;
  if (isServing) setImmediate(serve);
}

/** Long work that goes on in pieces. */
export interface Pace {
  /**
   * Notes work of some weight. Once a piece is full, answers what is to be awaited: a turn of the loop. Nothing before,
   * for a promise of each entry would be much of what reading it costs.
   */
  did(weight: number): Promise<void> | null;
}

/** The pace of an account's work, with so much weight to a turn. */
export function createPace(accountId: number, weightPerTurn: number): Pace {
  let weightSoFar = 0;
  return {
    did: (weight) => {
      weightSoFar += weight;
      if (weightSoFar < weightPerTurn) return null;
      weightSoFar = 0;
      return nextTurn(accountId);
    },
  };
}
