/** What a step of a purge looked at, and what of it is gone. */
export interface PurgeStep {
  looked: number;
  removed: number;
}

export type Subject = { accountId: number; subject: string };

/** Acts for one account after the other: a statement that locks rows is for those of one. */
export async function eachAccount(
  of: Subject[],
  act: (accountId: number, subjects: string[]) => Promise<PurgeStep>,
): Promise<PurgeStep> {
  const sum: PurgeStep = { looked: 0, removed: 0 };
  for (const [accountId, some] of Map.groupBy(of, (one) => one.accountId)) {
    const { looked, removed } = await act(
      accountId,
      some.map(({ subject }) => subject),
    );
    sum.looked += looked;
    sum.removed += removed;
  }
  return sum;
}
