import { Webhook } from 'standardwebhooks';
import { deadlines } from '../config/deadlines.ts';
import type { AttemptResult } from '../db/notifications/deliveries.ts';
import type { AddressPolicy } from '../net/address.ts';
import { createAgents } from '../net/agent.ts';
import { fetchOnce } from '../net/fetch.ts';
import { FetchError } from '../net/fetch-error.ts';
import type { NameResolver } from '../net/resolver.ts';
import { parseRetryAfter } from '../net/retry-after.ts';

export interface WebhookMessage {
  /** The same for every attempt and resend, so that receivers recognise duplicates. */
  id: string;
  payload: string;
  /** The message gets one signature per secret, so that receivers can switch secrets at any time during a rotation. */
  secrets: string[];
}

export interface PostOptions {
  policy: AddressPolicy;
  resolver: NameResolver;
  userAgent: string;
  /** Aborted when this process stops. */
  signal: AbortSignal;
}

/** Result of a post. Redirects count as responses and are not followed. */
type PostResult = AttemptResult & {
  /** From the Retry-After header; null if it is missing or invalid. */
  retryAfterSeconds: number | null;
};

/**
 * Signs a message by Standard Webhooks 1.0 and posts the message to an address that the policy allows. The timeout is
 * 15 s. Returns null if `signal` aborted the request. An aborted request is not counted as an attempt.
 */
export async function postSigned(
  url: string,
  message: WebhookMessage,
  { policy, resolver, userAgent, signal }: PostOptions,
): Promise<PostResult | null> {
  if (message.secrets.length === 0) return noSecret;
  const agents = createAgents({ policy, resolver });
  const startedMs = performance.now();
  const durationMs = () => Math.round(performance.now() - startedMs);
  try {
    const response = await fetchOnce(new URL(url.trim()), {
      method: 'POST',
      body: message.payload,
      headers: {
        ...signedHeaders(message, new Date()),
        'Content-Type': 'application/json',
        'User-Agent': userAgent,
      },
      agents,
      signal,
      deadlineMs: startedMs + deadlines.deliveryMs,
    });
    response.discard();
    return {
      status: response.status,
      error: null,
      durationMs: durationMs(),
      retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after')),
    };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    if (error.code === 'aborted') return null;
    return { status: null, error: error.code, durationMs: durationMs(), retryAfterSeconds: null };
  } finally {
    agents.close();
  }
}

/** Result for an account without a secret. No message is sent unsigned. The account must rotate its secret. */
const noSecret: PostResult = {
  status: null,
  error: 'no_signing_secret',
  durationMs: 0,
  retryAfterSeconds: null,
};

function signedHeaders({ id, payload, secrets }: WebhookMessage, now: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, payload)).join(' '),
  };
}
