/** What a step of a purge looked at, and what of it is gone. */
export interface PurgeStep {
  looked: number;
  removed: number;
}

export type Subject = { accountId: number; subject: string };

/** Removes rows of one account after the other, as a cluster requires. Returns how many are gone. */
export async function eachAccount(
  of: Subject[],
  remove: (accountId: number, subjects: string[]) => Promise<number>,
): Promise<number> {
  let removed = 0;
  for (const [accountId, some] of Map.groupBy(of, (one) => one.accountId)) {
    removed += await remove(
      accountId,
      some.map(({ subject }) => subject),
    );
  }
  return removed;
}
