import { mock } from 'node:test';

/**
 * Dates and timers stand still until `mock.timers.tick`. What ran before in this process may still clear a timer of an
 * earlier such clock: Node would take away whichever has its place in the queue of this one, so only those of this one
 * are cleared.
 */
export function standStill(): void {
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
