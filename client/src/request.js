import { SondeError } from './errors.js';

export const defaultBaseUrl = 'http://localhost:3000';

const firstDelayMs = 500;
const delayMaxMs = 60_000;
// After a gateway error, the request may have succeeded. The Idempotency-Key makes a retry safe.
const retryableStatuses = new Set([429, 502, 503, 504]);

/**
 * Sends a request. Retries if the network fails, or if the service is busy or unavailable. All attempts of a request
 * other than GET have the same Idempotency-Key. The request is therefore executed and charged once.
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
    const delayMs = retryDelay(error, tries);
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
    const advice =
      baseUrl === defaultBaseUrl
        ? '. Set its URL with --url or SONDE_URL, or in a program with baseUrl.'
        : '';
    const message = `The service at ${baseUrl} cannot be reached${advice}`;
    return { error: new SondeError(message, { status: 0, code: 'unreachable', cause }) };
  }
}

/**
 * Returns milliseconds until the next attempt; null for no retry, for example if the service asks for more than a
 * minute.
 */
function retryDelay({ status, code, retryAfter }, tries) {
  const isRetryable = status === 0 || retryableStatuses.has(status) || code === 'still_running';
  if (!isRetryable) return null;
  const requestedMs = Number(retryAfter ?? 0) * 1000;
  if (requestedMs > delayMaxMs) return null;
  const backoffMs = Math.min(delayMaxMs, firstDelayMs * 2 ** tries) * (0.5 + Math.random() / 2);
  return Math.max(requestedMs, backoffMs);
}

/** Resolves after a time. If the signal is aborted, rejects with its reason. */
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
