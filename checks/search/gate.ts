/**
 * Gives a place back, and counts the pages that the call has cost. `until`: so long it goes on counting as one of its
 * account's own, though others may have it at once.
 */
export type Leave = (pages: number, until?: Promise<unknown>) => void;

/** Lets calls out to a provider: so many at once over all processes, so many a day. */
export interface ProviderGate {
  /**
   * Waits for a place, in turn over accounts; the answered function gives it back. Counts no call yet. `isUrgent`:
   * somebody is waiting for the answer. `daily_limit`: the day's calls are used up, or the account's share of them.
   * Errors: the signal's reason.
   */
  enter(
    provider: string,
    caller: { accountId: number | null; isUrgent: boolean },
    signal: AbortSignal,
  ): Promise<Leave | 'daily_limit'>;
  /**
   * Counts a call that goes out now. False, and nothing is counted, when the last one has just gone. Errors: the
   * signal's reason.
   */
  count(provider: string, accountId: number | null, signal: AbortSignal): Promise<boolean>;
  /** Counts a check that a provider's pages have answered. */
  answered(provider: string): void;
}
