const toleranceSeconds = 300;

/** A webhook that did not come from the service, or is too old. */
export class WebhookVerificationError extends Error {
  name = 'WebhookVerificationError';
}

/**
 * The payload of a webhook whose signature is right (Standard Webhooks 1.0). `body` is the text or the bytes
 * as they came: what a JSON parser made of it and wrote again may differ.
 */
export async function verifyWebhook({ secret, headers, body, now = new Date() }) {
  const read = typeof headers.get === 'function' ? (name) => headers.get(name) : (name) => headers[name];
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => read(`webhook-${name}`));
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError('The signature headers are missing');
  const ageSeconds = now.getTime() / 1000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) < toleranceSeconds)) {
    throw new WebhookVerificationError('The webhook is older than five minutes, or from the future');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const key = await importKey(secret);
  for (const signature of signatures.split(' ')) {
    const given = bytesOf(signature.replace(/^v1,/, ''));
    // Compares in constant time.
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) {
      return JSON.parse(new TextDecoder().decode(bytes));
    }
  }
  throw new WebhookVerificationError('The signature is not right');
}

function importKey(secret) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes) throw new TypeError('The secret is not base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64) {
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
