// A miss is a check that reached no server. Our network is in doubt after `checksMin` misses without a response in
// between, to at least `zonesMin` zones. A zone is the last two labels of a host name.
const checksMin = 20;
const zonesMin = 5;
/** Minimum number of misses of all accounts except the one with the most. A single account may have many dead links. */
const othersMin = 5;
/**
 * If this many accounts have misses, the canary is ignored. The number is high, because one person can open several
 * accounts.
 */
const trustedAccountsMin = 6;

/**
 * Evidence of a check about our network. `answered`: a server responded. `unreachable`: a connection timed out, or our
 * resolver or network failed. `none`: anything else, such as a refused connection or a name that does not exist.
 */
export type NetworkEvidence = 'answered' | 'unreachable' | 'none';

/** A check that reached no server. */
interface Miss {
  accountId: number;
  zone: string;
}

/**
 * Distinguishes dead targets from a dead network. The network is in doubt after 20 misses of the process, to at least 5
 * zones, without a response in between. If these misses belong to few accounts, the canary must also be unreachable.
 * Without this rule, one account could make all checks fail. A canary near us, such as the database, may be reachable
 * when the internet is not. Such a canary decides only if nearly all misses belong to one account.
 */
export class NetworkHealth {
  #misses: Miss[] = [];
  readonly #canary: Canary;
  readonly #isOutside: boolean;

  /** `isOutside`: the canary is reached over the internet, like the targets. */
  constructor(canary: Canary, { isOutside = true } = {}) {
    this.#canary = canary;
    this.#isOutside = isOutside;
  }

  observe(accountId: number, host: string, evidence: NetworkEvidence): void {
    if (evidence === 'answered') this.#misses = [];
    if (evidence !== 'unreachable') return;
    this.#misses.push({ accountId, zone: toZone(host) });
    if (this.#misses.length > checksMin) this.#misses = this.#withoutOldest();
  }

  /** Returns true if our network, and not the targets, probably caused the missing responses. */
  async isInDoubt(): Promise<boolean> {
    if (this.#misses.length < checksMin) return false;
    if (new Set(this.#misses.map(({ zone }) => zone)).size < zonesMin) return false;
    const counts = this.#countsByAccount();
    const others = this.#misses.length - Math.max(...counts.values());
    const hasEnoughAccounts = others >= othersMin && (!this.#isOutside || counts.size >= trustedAccountsMin);
    return hasEnoughAccounts || !(await this.#canary());
  }

  /** Removes the oldest miss of the account with the most misses. The misses of the other accounts stay. */
  #withoutOldest(): Miss[] {
    const counts = this.#countsByAccount();
    const most = Math.max(...counts.values());
    return this.#misses.toSpliced(
      this.#misses.findIndex(({ accountId }) => counts.get(accountId) === most),
      1,
    );
  }

  #countsByAccount(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { accountId } of this.#misses) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    return counts;
  }
}

/** Returns the last two labels of a name, or an IP address. If a name server fails, its whole zone counts once. */
function toZone(host: string): string {
  const name = host.replace(/:\d+$/, '');
  return /^[\d.]+$|^\[/.test(name) ? name : name.split('.').slice(-2).join('.');
}

/** Returns whether an endpoint of the operator can be reached. Never rejects. */
export type Canary = () => Promise<boolean>;

const keptMs = 5_000;

/** Creates a canary that caches its answer for five seconds. */
export function createCanary(reach: () => Promise<boolean>, now: () => number = Date.now): Canary {
  let asked: Promise<boolean> | null = null;
  let answeredAtMs: number | null = null;
  return () => {
    const isOld = answeredAtMs !== null && now() - answeredAtMs >= keptMs;
    if (asked !== null && !isOld) return asked;
    answeredAtMs = null;
    asked = reach().finally(() => {
      answeredAtMs = now();
    });
    return asked;
  };
}
