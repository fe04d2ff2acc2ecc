// When this many checks in a row, to so many hosts, brought no HTTP answer, it is us and not them.
const checksMin = 20;
const hostsMin = 5;

/**
 * Tells a dead target from a dead network: a process whose last 20 checks, to at least 5 hosts, all ended
 * without an HTTP answer no longer believes in silence, until one check succeeds.
 */
export class NetworkHealth {
  #unanswered: string[] = [];

  /** Notes how a check ended. `isAnswered`: a server spoke HTTP to us. */
  observe(host: string, isAnswered: boolean): void {
    if (isAnswered) {
      this.#unanswered = [];
      return;
    }
    this.#unanswered.push(host);
    if (this.#unanswered.length > checksMin) this.#unanswered.shift();
  }

  /** True while silence is more likely ours than the targets'. */
  get isInDoubt(): boolean {
    return this.#unanswered.length >= checksMin && new Set(this.#unanswered).size >= hostsMin;
  }
}
