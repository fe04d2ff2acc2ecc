/** Number of consecutive failures, of one account or of several accounts together, that open the breaker. */
const failuresToOpen = 5;
/** Minimum failures of each of two accounts to open the breaker for all accounts. Any query may fail once. */
const shareMin = 2;
const failuresKeptMs = 5 * 60_000;
const accountsMax = 1_000;

/** Open state. After `untilMs`, one probing call shows whether the provider has recovered. */
interface OpenState {
  untilMs: number;
  isProbing: boolean;
}

interface FailureStreak {
  failures: number;
  /** Failures since the last answer to any account. */
  sinceAnswer: number;
  lastAtMs: number;
  open: OpenState | null;
}

/**
 * Circuit breaker of one provider. Five consecutive failures of an account open it for that account. It opens for all
 * accounts only when calls of two accounts fail and no call succeeds in between. So an account stops calling a provider
 * that is down, but its own failing queries do not affect other accounts.
 */
export class Breaker {
  readonly #openMs: number;
  readonly #now: () => number;
  readonly #streaks = new Map<number, FailureStreak>();
  #openForAll: OpenState | null = null;

  /** `openMs`: time without calls before a probing call; `now` in milliseconds. */
  constructor(openMs: number, now: () => number = Date.now) {
    this.#openMs = openMs;
    this.#now = now;
  }

  /** Returns whether the breaker is open for an account, also while a probing call is in flight. */
  isOpen(account: number): boolean {
    return this.#openStates(account).some((open) => open.isProbing || this.#isActive(open));
  }

  /** Makes a call for an account and records its result. Throws the errors of the call. */
  async run<T>(
    account: number,
    call: () => Promise<T>,
    isProviderFault: (error: unknown) => boolean,
  ): Promise<T> {
    const probed = this.isOpen(account) ? [] : this.#openStates(account);
    for (const open of probed) open.isProbing = true;
    try {
      const answer = await call();
      this.#recordAnswer(account);
      return answer;
    } catch (error) {
      if (isProviderFault(error)) this.#recordFailure(account);
      throw error;
    } finally {
      for (const open of probed) open.isProbing = false;
    }
  }

  #recordAnswer(account: number): void {
    this.#streaks.delete(account);
    for (const streak of this.#streaks.values()) streak.sinceAnswer = 0;
    this.#openForAll = null;
  }

  #recordFailure(account: number): void {
    const now = this.#now();
    const streak = this.#findStreak(account) ?? { failures: 0, sinceAnswer: 0, lastAtMs: now, open: null };
    streak.failures += 1;
    // Calls that were in flight when the breaker opened do not show whether the provider has recovered.
    if (!this.#isActive(this.#openForAll)) streak.sinceAnswer += 1;
    streak.lastAtMs = now;
    this.#streaks.delete(account);
    this.#streaks.set(account, streak);
    const [oldest] = this.#streaks.keys();
    if (this.#streaks.size > accountsMax && oldest !== undefined) this.#streaks.delete(oldest);
    const open = { untilMs: now + this.#openMs, isProbing: false };
    if (streak.failures >= failuresToOpen && !this.#isActive(streak.open)) streak.open = open;
    if (this.#hasSeveralAccounts()) this.#openAll(open);
  }

  /** After the breaker was open for all accounts, one failure from each of two accounts opens it again. */
  #hasSeveralAccounts(): boolean {
    const share = this.#openForAll ? 1 : shareMin;
    const streaks = [...this.#streaks.keys()].flatMap((account) => this.#findStreak(account) ?? []);
    const counts = streaks.map(({ sinceAnswer }) => sinceAnswer).filter((count) => count > 0);
    const failures = counts.reduce((sum, count) => sum + count, 0);
    const isEnough = this.#openForAll !== null || failures >= failuresToOpen;
    return isEnough && counts.filter((count) => count >= share).length >= 2;
  }

  #openAll(open: OpenState): void {
    this.#openForAll = { ...open };
    for (const streak of this.#streaks.values()) streak.sinceAnswer = 0;
  }

  #openStates(account: number): OpenState[] {
    return [this.#openForAll, this.#findStreak(account)?.open].filter((open) => !!open);
  }

  #isActive(open: OpenState | null): boolean {
    return open !== null && this.#now() < open.untilMs;
  }

  #findStreak(account: number): FailureStreak | null {
    const streak = this.#streaks.get(account);
    return streak && this.#now() - streak.lastAtMs < failuresKeptMs ? streak : null;
  }
}
