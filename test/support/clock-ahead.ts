/**
 * Moves this process's own clock: `node --import ./test/support/clock-ahead.ts?ms=1800000 worker/main.ts`. Timers go on
 * as they did.
 */
const aheadMs = Number(new URL(import.meta.url).searchParams.get('ms') ?? 0);
const RealDate = Date;

class DateAhead extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RealDate.now() + aheadMs);
    else super(...(given as [string]));
  }
  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}

globalThis.Date = DateAhead as DateConstructor;
