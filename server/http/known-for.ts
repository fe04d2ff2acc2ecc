/**
 * Asks at most once in so many milliseconds, whoever wants to know: what came of it, an error too, serves all
 * who ask in that time, and who asks while it is being found out waits for the same answer.
 */
export function knownFor<T>(
  milliseconds: number,
  ask: () => Promise<T>,
  nowMs: () => number = () => performance.now(),
): () => Promise<T> {
  let known: Promise<T> | null = null;
  let untilMs = 0;
  return () => {
    if (known && nowMs() < untilMs) return known;
    untilMs = Number.POSITIVE_INFINITY;
    const asked = ask().finally(() => {
      untilMs = nowMs() + milliseconds;
    });
    known = asked;
    return asked;
  };
}
