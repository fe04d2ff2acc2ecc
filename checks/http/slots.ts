import { FairLimit, type Slot } from '../../process/fair-limit.ts';
import { TargetLimits } from './target-limits.ts';

interface SlotRequest {
  accountId: number;
  /** First host of the check. Null if the check contacts no target. */
  host: string | null;
  signal: AbortSignal;
}

const accountShareMax = 0.75;
const reservedShare = 0.15;
const noHost = '';

/** Check slots of one process. A check that waits for a full or paused host does not delay checks of other hosts. */
export class CheckSlots {
  readonly #slots: FairLimit;
  readonly #targets: TargetLimits;

  constructor({ limit, hostLimit }: { limit: number; hostLimit: number }) {
    const targets = new TargetLimits(hostLimit);
    this.#targets = targets;
    this.#slots = new FairLimit({
      total: limit,
      perAccount: Math.max(1, Math.floor(limit * accountShareMax)),
      reserved: Math.floor(limit * reservedShare),
      targets: {
        hasFreeSlot: (host) => host === noHost || targets.mayBegin(host),
        onGrant: (host) => host !== noHost && targets.begin(host),
      },
    });
  }

  get inFlight(): number {
    return this.#slots.inUse;
  }

  /** Waits for a slot. Returns null if the signal was aborted first. */
  async acquire({ accountId, host, signal }: SlotRequest): Promise<CheckSlot | null> {
    const target = host ?? noHost;
    const slot = await this.#slots.acquire(accountId, { target, signal }).catch(() => null);
    if (slot === null) return null;
    const release = () => {
      if (host !== null) this.#targets.end(host);
      slot.release();
    };
    return new CheckSlot({ accountId, release }, this.#targets);
  }

  /**
   * Pauses checks at a host for `askedSeconds`, which the host asked for. If `askedSeconds` is null, each pause is
   * twice as long as the previous pause. No pause is longer than 20 s. The host's limit is halved until 20 checks have
   * ended without another pause.
   */
  pause(host: string, askedSeconds: number | null): void {
    this.#targets.pause(host, askedSeconds, () => this.#slots.grantFreeSlots());
  }
}

/** A check slot. It also holds the slots at the host and the address that the check is contacting. */
export class CheckSlot {
  readonly #slot: Slot;
  readonly #targets: TargetLimits;
  #isHeld = true;
  #host: { name: string; slot: Slot } | null = null;
  #at: { address: string; slot: Slot } | null = null;

  constructor(slot: Slot, targets: TargetLimits) {
    this.#slot = slot;
    this.#targets = targets;
  }

  /**
   * Releases the slots of the previous host, and waits for a slot at this host. Then takes a slot at the first address
   * with a free slot. If no address has a free slot, waits at the first address. Returns the address. Rejects if the
   * signal is aborted.
   */
  async moveTo(host: string, addresses: readonly string[], signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { accountId } = this.#slot;
    if (this.#at && this.#host?.name === host && addresses.includes(this.#at.address))
      return this.#at.address;
    this.#releaseAddress();
    if (this.#host?.name !== host) {
      this.leaveTarget();
      this.#host = { name: host, slot: await this.#targets.enterHost(host, accountId, signal) };
    }
    this.#at = await this.#targets.enterAddress(addresses, accountId, signal);
    return this.#at.address;
  }

  /** Releases the slots at the host and the address while the check waits for something else. */
  leaveTarget(): void {
    this.#releaseAddress();
    this.#host?.slot.release();
    this.#host = null;
  }

  /** Safe to call twice. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.leaveTarget();
    this.#slot.release();
  }

  #releaseAddress(): void {
    this.#at?.slot.release();
    this.#at = null;
  }
}
