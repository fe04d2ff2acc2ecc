// What the thread of `page-thread.ts` runs.
export { runPageTask as default } from './page-task.ts';
