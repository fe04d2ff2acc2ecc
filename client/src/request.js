import { SondeError } from './errors.js';

const firstDelayMs = 500;
const delayMaxMs = 60_000;
// A gateway's own errors say nothing about the request behind it, and the key makes it safe to repeat.
const repeatable = new Set([429, 502, 503, 504]);

/**
 * One request, repeated while that makes sense: the network failed, the service asks to slow down, or it
 * cannot answer just now. What changes something carries one Idempotency-Key over all tries, so it is done
 * and charged once.
 */
export async function request(options, path, { method = 'GET', body, signal, idempotencyKey } = {}) {
  const init = {
    method,
    signal,
    headers: {
      Authorization: `Bearer ${options.token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(method !== 'GET' ? { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() } : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  for (let tries = 0; ; tries++) {
    const { response, error } = await attempt(options, path, init);
    if (response) return response;
    const delayMs = delayOf(error, tries);
    if (tries >= options.retries || delayMs === null) throw error;
    await pause(delayMs, signal);
  }
}

async function attempt({ baseUrl, fetch }, path, init) {
  try {
    const response = await fetch(`${baseUrl}/api/v1${path}`, init);
    if (response.ok) return { response };
    const error = await SondeError.from(response);
    error.retryAfter = response.headers.get('retry-after');
    return { error };
  } catch (cause) {
    if (init.signal?.aborted) throw init.signal.reason;
    const message = `The service at ${baseUrl} cannot be reached`;
    return { error: new SondeError(message, { status: 0, code: 'unreachable', cause }) };
  }
}

/** Milliseconds until the next try; null when there should be none. */
function delayOf({ status, code, retryAfter }, tries) {
  const isWorthIt = status === 0 || repeatable.has(status) || code === 'still_running';
  if (!isWorthIt) return null;
  const askedMs = Number(retryAfter ?? 0) * 1000;
  if (askedMs > delayMaxMs) return null;
  const backoffMs = Math.min(delayMaxMs, firstDelayMs * 2 ** tries) * (0.5 + Math.random() / 2);
  return Math.max(askedMs, backoffMs);
}

/** Rejects with the signal's reason when it is aborted meanwhile. */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
