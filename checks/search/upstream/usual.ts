/** What something has taken of late, in milliseconds: for each account by what its own calls took. */
export interface Usual {
  note(accountId: number | null, ms: number): void;
  /** The account's own; before its first the median of the others', so that none of them moves it. Null before any. */
  of(accountId: number | null): number | null;
}

/** The accounts that were heard of last. */
const accountsMax = 100;

/** `weightOfLast`: how much of a new duration goes into what is usual. `fromMs`: its beginning; null: the first one. */
export function createUsual({
  weightOfLast,
  fromMs,
}: {
  weightOfLast: number;
  fromMs: number | null;
}): Usual {
  // A map keeps its order: the first is who has not asked for the longest time.
  const usualMs = new Map<number | null, number>();
  return {
    note: (accountId, ms) => {
      const before = usualMs.get(accountId) ?? fromMs ?? ms;
      usualMs.delete(accountId);
      usualMs.set(accountId, before + weightOfLast * (ms - before));
      const [oldest] = usualMs.keys();
      if (usualMs.size > accountsMax && oldest !== undefined) usualMs.delete(oldest);
    },
    of: (accountId) => usualMs.get(accountId) ?? lowerMedian([...usualMs.values()]),
  };
}

/** Of two the lower: one other account that is slow says nothing of everybody. */
function lowerMedian(values: number[]): number | null {
  return values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;
}
