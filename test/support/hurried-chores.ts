/** Chores of the process that is started with this (`node --import`) come round every second. */
import { sweepSeconds } from '../../upkeep/chores.ts';

const { setInterval } = globalThis;
globalThis.setInterval = ((act: () => void, ms: number, ...rest: []) =>
  setInterval(act, ms === sweepSeconds * 1000 ? 1000 : ms, ...rest)) as typeof setInterval;
