interface Use {
  /** What was held and given back, as of `asOfMs`; it halves with time. */
  pastMs: number;
  asOfMs: number;
  inFlight: number;
  /** The sum of the moments at which what is in flight began. */
  beganMs: number;
}

const halfLifeMs = 60_000;
/** Less of a difference is none: then they go in turn. */
const grainMs = 100;
const accountsRememberedMax = 10_000;

/**
 * For how long accounts have held check slots of late. Who asks for what never answers holds a slot the longest, and is
 * to come after those who ask for what answers at once.
 */
export class SlotTime {
  readonly #uses = new Map<number, Use>();

  inFlight(accountId: number): number {
    return this.#uses.get(accountId)?.inFlight ?? 0;
  }

  begin(accountId: number, nowMs: number): void {
    const use = this.#useOf(accountId, nowMs);
    use.inFlight += 1;
    use.beganMs += nowMs;
  }

  end(accountId: number, beganMs: number, nowMs: number): void {
    const use = this.#useOf(accountId, nowMs);
    use.pastMs = decayed(use, nowMs) + Math.max(0, nowMs - beganMs);
    use.asOfMs = nowMs;
    use.inFlight -= 1;
    use.beganMs -= beganMs;
    if (use.inFlight === 0 && (use.pastMs < grainMs || this.#uses.size > accountsRememberedMax)) {
      this.#uses.delete(accountId);
    }
  }

  /** In grains, so that those who held about the same are equal. */
  attained(accountId: number, nowMs: number): number {
    const use = this.#uses.get(accountId);
    if (!use) return 0;
    return Math.floor((decayed(use, nowMs) + use.inFlight * nowMs - use.beganMs) / grainMs);
  }

  #useOf(accountId: number, nowMs: number): Use {
    const known = this.#uses.get(accountId);
    if (known) return known;
    const fresh = { pastMs: 0, asOfMs: nowMs, inFlight: 0, beganMs: 0 };
    this.#uses.set(accountId, fresh);
    return fresh;
  }
}

function decayed({ pastMs, asOfMs }: Use, nowMs: number): number {
  return pastMs === 0 ? 0 : pastMs * 2 ** (-(nowMs - asOfMs) / halfLifeMs);
}
