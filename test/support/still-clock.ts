import { mock } from 'node:test';

/**
 * Freezes dates and timers until `mock.timers.tick`. Earlier code in this process may clear a timer of an earlier
 * clock. Node would then clear a different timer of this clock. Therefore, only timers of this clock can be cleared.
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
