/** Five failures in a row: of one account for that account, of several for all. */
const failuresToRest = 5;
/** So many of those must be of each of two accounts: anybody's query may fail once. */
const shareMin = 2;
/** Older failures no longer count. */
const failuresKeptMs = 5 * 60_000;
const accountsMax = 1_000;

/** One rest: until when, and whether the call that shows if it is over is on its way. */
interface Rest {
  untilMs: number;
  isTried: boolean;
}

/** Consecutive failures of one account. */
interface Run {
  failures: number;
  /** Of those, since anybody was last answered. */
  sinceAnswer: number;
  lastAtMs: number;
  rest: Rest | null;
}

/**
 * Tells a provider that is down from the queries of one account that fail. After five failures in a row it rests for
 * the account that met them. It rests for all only when two accounts met some and no account was answered in between.
 * So a single account stops asking a provider that is down, and its odd queries do not keep others from it.
 */
export class Breaker {
  readonly #restMs: number;
  readonly #now: () => number;
  readonly #runs = new Map<number, Run>();
  #restOfAll: Rest | null = null;

  /** `restMs`: how long it is left alone before one call shows whether it is well; `now` in milliseconds. */
  constructor(restMs: number, now: () => number = Date.now) {
    this.#restMs = restMs;
    this.#now = now;
  }

  /** Not to be asked for an account while another can: it fails, or the one call that shows if it still does is out. */
  isResting(account: number): boolean {
    return this.#restsOf(account).some((rest) => rest.isTried || this.#lasts(rest));
  }

  /** Does a call for an account, and notes what it says of the provider. Errors: those of the call. */
  async through<T>(
    account: number,
    call: () => Promise<T>,
    speaksAgainst: (error: unknown) => boolean,
  ): Promise<T> {
    const tried = this.isResting(account) ? [] : this.#restsOf(account);
    for (const rest of tried) rest.isTried = true;
    try {
      const answer = await call();
      this.#answered(account);
      return answer;
    } catch (error) {
      if (speaksAgainst(error)) this.#failed(account);
      throw error;
    } finally {
      for (const rest of tried) rest.isTried = false;
    }
  }

  #answered(account: number): void {
    this.#runs.delete(account);
    for (const run of this.#runs.values()) run.sinceAnswer = 0;
    this.#restOfAll = null;
  }

  #failed(account: number): void {
    const now = this.#now();
    const run = this.#runOf(account) ?? { failures: 0, sinceAnswer: 0, lastAtMs: now, rest: null };
    run.failures += 1;
    // Those that were out when the rest began say nothing of its end.
    if (!this.#lasts(this.#restOfAll)) run.sinceAnswer += 1;
    run.lastAtMs = now;
    this.#runs.delete(account);
    this.#runs.set(account, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > accountsMax && oldest !== undefined) this.#runs.delete(oldest);
    const rest = { untilMs: now + this.#restMs, isTried: false };
    if (run.failures >= failuresToRest && !this.#lasts(run.rest)) run.rest = rest;
    if (this.#isMetBySeveral()) this.#restForAll(rest);
  }

  /** Once it has rested for all, one failure of each of two is enough. */
  #isMetBySeveral(): boolean {
    const share = this.#restOfAll ? 1 : shareMin;
    const runs = [...this.#runs.keys()].flatMap((account) => this.#runOf(account) ?? []);
    const counts = runs.map(({ sinceAnswer }) => sinceAnswer).filter((count) => count > 0);
    const failures = counts.reduce((sum, count) => sum + count, 0);
    const isEnough = this.#restOfAll !== null || failures >= failuresToRest;
    return isEnough && counts.filter((count) => count >= share).length >= 2;
  }

  #restForAll(rest: Rest): void {
    this.#restOfAll = { ...rest };
    for (const run of this.#runs.values()) run.sinceAnswer = 0;
  }

  #restsOf(account: number): Rest[] {
    return [this.#restOfAll, this.#runOf(account)?.rest].filter((rest) => !!rest);
  }

  #lasts(rest: Rest | null): boolean {
    return rest !== null && this.#now() < rest.untilMs;
  }

  #runOf(account: number): Run | null {
    const run = this.#runs.get(account);
    return run && this.#now() - run.lastAtMs < failuresKeptMs ? run : null;
  }
}
