const toleranceSeconds = 300;

/** Error for a webhook whose signature is missing, invalid or too old. */
export class WebhookVerificationError extends Error {
  name = 'WebhookVerificationError';
}

/**
 * Verifies the signature of a webhook (Standard Webhooks 1.0) and returns its payload. `body` is the raw text or bytes.
 * JSON that is parsed and serialised again may differ.
 */
export async function verifyWebhook({ secret, headers, body, now = new Date() }) {
  const given = readHeaders(headers);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    given.get(`webhook-${name}`),
  );
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError('The signature headers are missing');
  const ageSeconds = now.getTime() / 1000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) < toleranceSeconds)) {
    throw new WebhookVerificationError('The webhook is older than five minutes, or from the future');
  }
  const bytes = toBytes(body);
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const key = await importKey(secret);
  for (const signature of signatures.split(' ')) {
    // Node joins repeated headers with a comma.
    const bytesGiven = decodeBase64(signature.replace(/^v1,|,$/g, ''));
    // `verify` compares in constant time.
    if (bytesGiven && (await crypto.subtle.verify('HMAC', key, bytesGiven, signed))) {
      return JSON.parse(new TextDecoder().decode(bytes));
    }
  }
  throw new WebhookVerificationError('The signature is invalid');
}

/** Returns values by lower-case name. Joins values of the same name with spaces, because spaces separate signatures. */
function readHeaders(headers) {
  const values = new Map();
  for (const [name, value] of headerPairs(headers)) {
    const key = String(name).toLowerCase();
    values.set(key, [values.get(key) ?? [], value ?? []].flat().join(' '));
  }
  return values;
}

function headerPairs(headers) {
  if (!Array.isArray(headers))
    return typeof headers?.entries === 'function' ? headers.entries() : Object.entries(headers ?? {});
  if (headers.every(Array.isArray)) return headers;
  // Node's rawHeaders: name, value, name, value.
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []));
}

function toBytes(body) {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('body must be the raw text or bytes of the request, not parsed JSON');
}

function importKey(secret) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes) throw new TypeError('The secret is not base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Returns null if the text is not base64. */
function decodeBase64(base64) {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(head, tail) {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
