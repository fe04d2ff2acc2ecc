/** Gives a place back, and counts the pages that the call has cost. */
export type Leave = (pages: number) => void;

/** Lets calls out to a provider: so many at once over all processes, so many a day. */
export interface ProviderGate {
  /**
   * Waits for a place, in turn over accounts, and counts the call; the answered function gives the place back.
   * `isUrgent`: somebody is waiting for the answer. `daily_limit`: the day's calls are used up, or the account's share
   * of them. Errors: the signal's reason.
   */
  enter(
    provider: string,
    caller: { accountId: number | null; isUrgent: boolean },
    signal: AbortSignal,
  ): Promise<Leave | 'daily_limit'>;
  /** Counts a check that a provider's pages have answered. */
  answered(provider: string): void;
}
