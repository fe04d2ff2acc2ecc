/** Of the time there is, so much is planned with: pages do not take the same time each. */
export const shareOfTime = 0.8;

/**
 * The pages of a range in order. One after the other unless somebody waits and the slowest so far says that the rest
 * would not be there in time: each page asked for ahead may lie behind the match, and is paid for all the same.
 *
 * `deadlineMs` is on the clock's time, null when nobody waits. What a page that nobody comes to turns out to
 * be is of no interest, also when it failed.
 */
export async function* readAhead<T>(
  { from, to }: { from: number; to: number },
  deadlineMs: number | null,
  ask: (page: number) => Promise<T>,
  clock: () => number = () => performance.now(),
): AsyncGenerator<T> {
  const asked: Promise<T>[] = [];
  let slowestMs = 0;
  const askNext = () => {
    const startedMs = clock();
    const answer = ask(from + asked.length).finally(() => {
      slowestMs = Math.max(slowestMs, clock() - startedMs);
    });
    answer.catch(() => {});
    asked.push(answer);
  };
  for (let page = from; page <= to; page++) {
    const left = to - page + 1;
    const atOnce =
      page === from || deadlineMs === null ? 1 : atOnceInTime(left, slowestMs, deadlineMs - clock());
    const wanted = Math.min(to, page + atOnce - 1) - from + 1;
    while (asked.length < wanted) askNext();
    yield await (asked[page - from] as Promise<T>);
  }
}

/** How many pages must be on their way together for the rest to fit the time. */
function atOnceInTime(left: number, slowestMs: number, timeMs: number): number {
  const rounds = Math.max(1, Math.floor((timeMs * shareOfTime) / Math.max(1, slowestMs)));
  return Math.ceil(left / rounds);
}
