interface Politeness {
  inFlight: number;
  /** Checks that began here, were sent on, and wait for a place where they were sent. */
  sentOn: number;
  pausedUntilMs: number;
  /** Since the host was last trusted with all it may get; it doubles the next one. */
  pauses: number;
  /** Checks that have ended since the last complaint. */
  endedSince: number;
}

const pauseSecondsMin = 5;
const pauseSecondsMax = 20;
const hostsRememberedMax = 10_000;
// After so many checks without another complaint a host gets again what it got before.
const checksToTrust = 20;

/** What one process may have in flight at each host, and the hosts that asked to be left alone. */
export class HostLimits {
  readonly #limit: number;
  readonly #hosts = new Map<string, Politeness>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether one more may go to a host now, with a slot that it holds already. */
  isWelcome(host: string): boolean {
    const politeness = this.#hosts.get(host);
    return !politeness || (isAskable(politeness) && politeness.inFlight < this.#limitOf(politeness));
  }

  /**
   * Whether one more may begin at a host now. Those that it sent on, and that wait there, count with those it has: a
   * site that sends all its visitors to a slow one would else fill the slots with checks that wait.
   */
  mayBegin(host: string): boolean {
    const politeness = this.#hosts.get(host);
    if (!politeness) return true;
    return this.isWelcome(host) && politeness.inFlight + politeness.sentOn < this.#limitOf(politeness);
  }

  /** A check that began at a host waits for a place elsewhere. */
  sendOn(host: string): void {
    this.#politenessOf(host).sentOn += 1;
  }

  /** It waits no more. */
  arrive(host: string): void {
    this.#politenessOf(host).sentOn -= 1;
    this.#forgetIfIdle(host);
  }

  enter(host: string): void {
    this.#politenessOf(host).inFlight += 1;
  }

  leave(host: string): void {
    const politeness = this.#politenessOf(host);
    politeness.inFlight -= 1;
    politeness.endedSince += 1;
    if (politeness.endedSince >= checksToTrust) politeness.pauses = 0;
    this.#forgetIfIdle(host);
  }

  /**
   * Leaves a host alone for as long as it asked, or 5 s doubling each time, never over 20 s; it then gets
   * half of what it got, until enough checks have ended without another pause. `isOver` is called when it may
   * be asked again.
   */
  pause(host: string, askedSeconds: number | null, isOver: () => void): void {
    const politeness = this.#politenessOf(host);
    const seconds = Math.min(askedSeconds ?? pauseSecondsMin * 2 ** politeness.pauses, pauseSecondsMax);
    const isPaused = politeness.pausedUntilMs > Date.now();
    politeness.pausedUntilMs = Math.max(politeness.pausedUntilMs, Date.now() + seconds * 1000);
    politeness.endedSince = 0;
    // Answers of one burst are one refusal, not one each.
    if (isPaused) return;
    politeness.pauses += 1;
    callWhenOver(politeness, isOver);
  }

  #limitOf({ pauses }: Politeness): number {
    return pauses > 0 ? Math.max(1, Math.floor(this.#limit / 2)) : this.#limit;
  }

  /** A host that never complained is forgotten; one that did is remembered, as far as memory should go. */
  #forgetIfIdle(host: string): void {
    const { inFlight, sentOn, pauses } = this.#politenessOf(host);
    if (inFlight > 0 || sentOn > 0) return;
    if (pauses === 0 || this.#hosts.size > hostsRememberedMax) this.#hosts.delete(host);
  }

  #politenessOf(host: string): Politeness {
    const known = this.#hosts.get(host);
    if (known) return known;
    const fresh = { inFlight: 0, sentOn: 0, pausedUntilMs: 0, pauses: 0, endedSince: 0 };
    this.#hosts.set(host, fresh);
    return fresh;
  }
}

function isAskable({ pausedUntilMs }: Politeness): boolean {
  return pausedUntilMs <= Date.now();
}

/** Looks again when a pause is over, which may have been prolonged meanwhile. */
function callWhenOver(politeness: Politeness, isOver: () => void): void {
  const remainingMs = politeness.pausedUntilMs - Date.now();
  if (remainingMs <= 0) isOver();
  else setTimeout(() => callWhenOver(politeness, isOver), remainingMs + 10).unref();
}
