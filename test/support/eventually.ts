/** How long a test waits for what must come: a fault fails it all the same, and a busy machine does not. */
const patienceMs = 120_000;

/** Asks again and again until there is an answer; rejects when time is up. */
export async function eventually<T>(
  ask: () => Promise<T | null>,
  timeoutMs = patienceMs,
  everyMs = 50,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(`nothing came of it within ${timeoutMs} ms`);
}
