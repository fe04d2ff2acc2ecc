import { mock } from 'node:test';

/**
 * Freezes dates and timers until `mock.timers.tick`. Earlier code in this process may still clear a timer of an earlier
 * clock, for which Node would clear another one of this clock. So only timers of this clock are cleared.
 */
export function freezeClock(): void {
  mock.timers.enable({ apis: ['Date', 'setTimeout'] });
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const timers = new WeakSet<object>();
  const setOurs = (...asked: Parameters<typeof set>) => {
    const timer = set(...asked);
    timers.add(timer);
    return timer;
  };
  globalThis.setTimeout = setOurs as typeof set;
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === 'object' && timers.has(timer)) clear(timer);
  };
}
