import type { Fate } from './plan.ts';

type Ending = Fate['by'];

interface Stop {
  name: string;
  exit: number | NodeJS.Signals;
  ms: number;
  /** Requests that the process had received and never answered. */
  cutOff: number;
}

interface Recovery {
  fault: string;
  /** Time until a new batch was accepted, checked and ended. */
  backAfterMs: number;
  /** Time until every worker was listening for jobs again. */
  listeningAfterMs: number;
}

/** Events of a run: printed as they happen, and counted for the final table. */
export class Journal {
  readonly #startedMs = performance.now();
  readonly #print: (line: string) => void;
  /** Deaths by SIGKILL: number of checks in flight at each. */
  readonly deaths = new Map<string, { kind: 'web' | 'worker'; by: Ending; inFlight: number[] }>();
  readonly stops: Stop[] = [];
  readonly recoveries: Recovery[] = [];
  readonly problems: string[] = [];
  readonly notes: string[] = [];

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1000;
  }

  say(line: string): void {
    this.#print(`${this.seconds.toFixed(1).padStart(6)} s  ${line}`);
  }

  died(name: string, kind: 'web' | 'worker', by: Ending, inFlight: number): void {
    const key = `${kind} ${by}`;
    const same = this.deaths.get(key) ?? { kind, by, inFlight: [] };
    this.deaths.set(key, same);
    same.inFlight.push(inFlight);
    this.say(`${name} killed${by === 'kill' ? '' : ` at ${by}`}, ${inFlight} checks in flight`);
  }

  stopped(stop: Stop): void {
    this.stops.push(stop);
    const seconds = (stop.ms / 1000).toFixed(1);
    this.say(
      `${stop.name} received SIGTERM: exit ${stop.exit} after ${seconds} s, ${stop.cutOff} requests cut off`,
    );
  }

  recovered(recovery: Recovery): void {
    this.recoveries.push(recovery);
    const [back, listening] = [recovery.backAfterMs, recovery.listeningAfterMs].map((ms) =>
      (ms / 1000).toFixed(1),
    );
    this.say(`database ${recovery.fault}: back to work after ${back} s, listening after ${listening} s`);
  }

  /** Records a violation. */
  complain(problem: string): void {
    this.problems.push(problem);
    this.say(`✘ ${problem}`);
  }

  /** Adds a line to the final table. */
  note(line: string): void {
    this.notes.push(line);
    this.say(line);
  }
}
