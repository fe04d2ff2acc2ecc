/** Long enough for a busy machine. A fault still fails the test. */
const waitMs = 240_000;
const pauseMaxMs = 500;

/** Polls until the answer is not null. Rejects at the timeout. Pauses grow, so that polling slows the work less. */
export async function eventually<T>(
  ask: () => Promise<T | null>,
  timeoutMs = waitMs,
  everyMs = 50,
): Promise<T> {
  const begun = Date.now();
  while (Date.now() < begun + timeoutMs) {
    const answer = await ask();
    if (answer !== null) return answer;
    const pauseMs = Math.max(everyMs, Math.min((Date.now() - begun) / 10, pauseMaxMs));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error(`no answer within ${timeoutMs} ms`);
}
