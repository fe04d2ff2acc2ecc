// When this many checks in a row, to so many zones, met nobody, it is us and not them.
const checksMin = 20;
const zonesMin = 5;
/** So many of them must be of others than the account with the most: anybody has a dead link or two. */
const othersMin = 5;
/** So many accounts are believed against a canary that is well: two are soon opened by one person. */
const accountsBelieved = 6;

/**
 * What a check says of our network: a server spoke to us, nobody was met (a connection timed out, or our own
 * resolver or network failed), or nothing, as a refused connection, a name that does not exist or an address
 * we refuse.
 */
export type Meeting = 'answered' | 'nobody' | 'nothing';

interface Unmet {
  accountId: number;
  zone: string;
}

/**
 * Tells a dead target from a dead network: a process whose last 20 checks, to at least 5 zones, all met
 * nobody no longer believes in silence, until one check succeeds. Where few accounts have met nobody, the canary
 * must be out of reach as well: otherwise one account could spoil the answers of all with its own names. A canary
 * that may stand on our side of what is broken, as the database does, is asked only where one account alone has.
 */
export class NetworkHealth {
  #unmet: Unmet[] = [];
  readonly #canary: Canary;
  readonly #isOutside: boolean;

  /** `isOutside`: the canary is reached by the way that targets are, and not near us. */
  constructor(canary: Canary, { isOutside = true } = {}) {
    this.#canary = canary;
    this.#isOutside = isOutside;
  }

  /** Notes how an account's check of a host ended. */
  observe(accountId: number, host: string, meeting: Meeting): void {
    if (meeting === 'answered') this.#unmet = [];
    if (meeting !== 'nobody') return;
    this.#unmet.push({ accountId, zone: zoneOf(host) });
    if (this.#unmet.length > checksMin) this.#unmet = this.#withoutOldest();
  }

  /** True while silence is more likely ours than the targets'. */
  async isInDoubt(): Promise<boolean> {
    if (this.#unmet.length < checksMin) return false;
    if (new Set(this.#unmet.map(({ zone }) => zone)).size < zonesMin) return false;
    const counts = this.#countsByAccount();
    const others = this.#unmet.length - Math.max(...counts.values());
    const isBelieved = others >= othersMin && (!this.#isOutside || counts.size >= accountsBelieved);
    return isBelieved || !(await this.#canary());
  }

  /** Of the account with the most, so that one that meets nobody all the time leaves room for what others meet. */
  #withoutOldest(): Unmet[] {
    const counts = this.#countsByAccount();
    const most = Math.max(...counts.values());
    return this.#unmet.toSpliced(
      this.#unmet.findIndex(({ accountId }) => counts.get(accountId) === most),
      1,
    );
  }

  #countsByAccount(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { accountId } of this.#unmet) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    return counts;
  }
}

/** One name server that fails must not look like many hosts: the last two labels of a name, or an address as it is. */
function zoneOf(host: string): string {
  const name = host.replace(/:\d+$/, '');
  return /^[\d.]+$|^\[/.test(name) ? name : name.split('.').slice(-2).join('.');
}

/** Whether our network is well: whether an endpoint that the operator trusts can be reached. Never rejects. */
export type Canary = () => Promise<boolean>;

const keptMs = 5_000;

/** A canary that asks again when its answer is five seconds old. */
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
