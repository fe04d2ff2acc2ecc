/** For how many days that what a test token asked for is kept, where live work is kept longer. */
const testDays = 7;

/** For how many days work is kept, where live work is kept for `days`. */
export function daysKept(days: number, { isTest }: { isTest: boolean }): number {
  return isTest ? Math.min(testDays, days) : days;
}
