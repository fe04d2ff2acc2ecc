/** Makes the chores of a process run every second (`node --import`). */
import { sweepSeconds } from '../../upkeep/chores.ts';

const { setInterval } = globalThis;
globalThis.setInterval = ((act: () => void, ms: number, ...rest: []) =>
  setInterval(act, ms === sweepSeconds * 1000 ? 1000 : ms, ...rest)) as typeof setInterval;
