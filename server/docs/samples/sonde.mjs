import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Calls the API. Retries 429, 500, 503 and lost connections after Retry-After, up to five times. */
export async function sonde(path, body) {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = {
    Authorization: `Bearer ${process.env.SONDE_TOKEN}`,
    'Content-Type': 'application/json',
    // The same key for all attempts, so that a repeated request is done and charged once.
    'Idempotency-Key': randomUUID(),
  };
  const request = { method, headers, body: body && JSON.stringify(body) };
  for (let tries = 0; ; tries++) {
    const response = await fetch(`http://localhost:3000/api/v1/${path}`, request).catch(() => null);
    const answer = await response?.json().catch(() => null);
    if (response?.ok && answer) return answer;
    const isRetryable = !response || [429, 500, 503].includes(response.status);
    if (!isRetryable || tries === 5) throw new Error(answer?.message ?? 'No answer');
    await sleep(1000 * Number(response?.headers.get('Retry-After') ?? 2 ** tries));
  }
}
