import { FairLimit, type Slot } from '../../process/fair-limit.ts';

interface Host {
  slots: FairLimit;
  /** Checks that began at the host and have not ended. Includes checks that were redirected to another host. */
  begun: number;
  pausedUntilMs: number;
  /** Number of pauses since the host last had its full limit. Each pause doubles the next. */
  pauses: number;
  endedSincePause: number;
}

const pauseSecondsMin = 5;
const pauseSecondsMax = 20;
/** A host gets its full limit again after this many checks without a pause. */
const checksToTrust = 20;
const pausedHostsMax = 10_000;

/**
 * Limit of an address, as a multiple of the host limit. It is higher, because many sites share an address. Without a
 * limit, a user could contact one address under many host names.
 */
const hostsPerAddress = 4;
const accountShareMax = 0.75;
const reservedShare = 1 / 8;

/** Limits of one process for each host and each address, to protect the targets. */
export class TargetLimits {
  readonly #hostLimit: number;
  readonly #hosts = new Map<string, Host>();
  readonly #addresses = new Map<string, FairLimit>();

  constructor(hostLimit: number) {
    this.#hostLimit = hostLimit;
  }

  mayBegin(name: string): boolean {
    const host = this.#hosts.get(name);
    return !host || (!isPaused(host) && host.begun < this.#getLimit(host));
  }

  /** Counts a check at its first host until `end` is called, even if a redirect makes it wait at another host. */
  begin(name: string): void {
    this.#getHost(name).begun += 1;
  }

  end(name: string): void {
    const host = this.#getHost(name);
    host.begun -= 1;
    host.endedSincePause += 1;
    if (host.endedSincePause >= checksToTrust) host.pauses = 0;
    this.#deleteIfIdle(name, host);
  }

  /** Waits for a slot at a host. Rejects with the reason of the signal. */
  async enterHost(name: string, accountId: number, signal: AbortSignal): Promise<Slot> {
    const host = this.#getHost(name);
    const slot = host.slots.tryAcquire(accountId) ?? (await host.slots.acquire(accountId, { signal }));
    const release = () => {
      slot.release();
      this.#deleteIfIdle(name, host);
    };
    return { accountId, release };
  }

  /**
   * Takes a slot at the first address with a free slot. If no address has a free slot, waits at the first address.
   * Rejects with the reason of the signal.
   */
  async enterAddress(
    addresses: readonly string[],
    accountId: number,
    signal: AbortSignal,
  ): Promise<{ address: string; slot: Slot }> {
    const hasFreeSlot = (address: string) => this.#addresses.get(address)?.hasSlotFor(accountId) ?? true;
    const address = addresses.find(hasFreeSlot) ?? addresses[0] ?? '';
    const limit = this.#addresses.get(address) ?? createAddressLimit(this.#hostLimit);
    this.#addresses.set(address, limit);
    const slot = limit.tryAcquire(accountId) ?? (await limit.acquire(accountId, { signal }));
    const release = () => {
      slot.release();
      if (limit.inUse === 0) this.#addresses.delete(address);
    };
    return { address, slot: { accountId, release } };
  }

  /**
   * Pauses checks at a host for `askedSeconds`, which the host asked for, at most 20 s. If `askedSeconds` is null, the
   * first pause takes 5 s, and each pause is twice as long as the previous pause. Then calls `onEnd`. The host's limit
   * is halved until 20 checks have ended without a pause.
   */
  pause(name: string, askedSeconds: number | null, onEnd: () => void): void {
    const host = this.#getHost(name);
    const seconds = Math.min(askedSeconds ?? pauseSecondsMin * 2 ** host.pauses, pauseSecondsMax);
    const wasPaused = isPaused(host);
    host.pausedUntilMs = Math.max(host.pausedUntilMs, Date.now() + seconds * 1000);
    host.endedSincePause = 0;
    if (wasPaused) return;
    host.pauses += 1;
    afterPause(host, () => {
      host.slots.grantFreeSlots();
      onEnd();
      this.#deleteIfIdle(name, host);
    });
  }

  #getLimit({ pauses }: Host): number {
    return pauses > 0 ? Math.max(1, Math.floor(this.#hostLimit / 2)) : this.#hostLimit;
  }

  #getHost(name: string): Host {
    const known = this.#hosts.get(name);
    if (known) return known;
    const isOpen = () => !isPaused(host) && host.slots.inUse < this.#getLimit(host);
    const slots = new FairLimit({
      total: this.#hostLimit,
      targets: { hasFreeSlot: isOpen, onGrant: () => {} },
    });
    const host: Host = { slots, begun: 0, pausedUntilMs: 0, pauses: 0, endedSincePause: 0 };
    this.#hosts.set(name, host);
    return host;
  }

  /** Deletes an idle host. Hosts with earlier pauses stay, up to `pausedHostsMax` hosts in all. */
  #deleteIfIdle(name: string, host: Host): void {
    if (host.begun > 0 || host.slots.inUse > 0 || isPaused(host)) return;
    if (host.pauses === 0 || this.#hosts.size > pausedHostsMax) this.#hosts.delete(name);
  }
}

function isPaused({ pausedUntilMs }: Host): boolean {
  return pausedUntilMs > Date.now();
}

/** Calls `callback` after a pause. A pause may be extended while it lasts. */
function afterPause(host: Host, callback: () => void): void {
  const remainingMs = host.pausedUntilMs - Date.now();
  if (remainingMs <= 0) callback();
  else setTimeout(() => afterPause(host, callback), remainingMs + 10).unref();
}

function createAddressLimit(hostLimit: number): FairLimit {
  const total = hostLimit * hostsPerAddress;
  return new FairLimit({
    total,
    perAccount: Math.floor(total * accountShareMax),
    reserved: Math.max(1, Math.floor(total * reservedShare)),
  });
}
