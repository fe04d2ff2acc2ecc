/** How long a test waits for what must come: a fault fails it all the same, and a busy machine does not. */
const patienceMs = 240_000;
const pauseMaxMs = 500;

/**
 * Asks again and again until there is an answer; rejects when time is up. The longer it took so far, the longer it
 * pauses: what is asked is busy with what is waited for.
 */
export async function eventually<T>(
  ask: () => Promise<T | null>,
  timeoutMs = patienceMs,
  everyMs = 50,
): Promise<T> {
  const begun = Date.now();
  while (Date.now() < begun + timeoutMs) {
    const answer = await ask();
    if (answer !== null) return answer;
    const pauseMs = Math.max(everyMs, Math.min((Date.now() - begun) / 10, pauseMaxMs));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error(`nothing came of it within ${timeoutMs} ms`);
}
