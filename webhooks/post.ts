import { Webhook } from 'standardwebhooks';
import { deadlines } from '../config/deadlines.ts';
import type { AddressPolicy } from '../net/address.ts';
import { createAgents } from '../net/agent.ts';
import { fetchOnce } from '../net/fetch.ts';
import { FetchError } from '../net/fetch-error.ts';
import type { NameResolver } from '../net/resolver.ts';
import { retryAfterSeconds } from '../net/retry-after.ts';

export interface Message {
  /** The same for every attempt and resend, so that a receiver can tell what it has had. */
  id: string;
  /** JSON text. */
  payload: string;
  /** One signature for each, so that a receiver may change its secret at any moment within a rotation. */
  secrets: string[];
}

export interface Sender {
  policy: AddressPolicy;
  resolver: NameResolver;
  userAgent: string;
  /** Aborted when our own end must stop. */
  signal: AbortSignal;
}

/** How a receiver answered, or a word why no answer came; redirects are answers and not followed. */
export type Posted = ({ status: number; error: null } | { status: null; error: string }) & {
  durationMs: number;
  /** What the receiver's Retry-After asks for; null when it does not say. */
  retryAfterSeconds: number | null;
};

/**
 * Posts a message to a receiver, signed as Standard Webhooks 1.0 says, by the guarded way out. An answer
 * counts within 15 s. Null when `signal` stopped it: then it was no attempt.
 */
export async function postSigned(
  url: string,
  message: Message,
  { policy, resolver, userAgent, signal }: Sender,
): Promise<Posted | null> {
  if (message.secrets.length === 0) return unsigned;
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
      retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after')),
    };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    if (error.code === 'aborted') return null;
    return { status: null, error: error.code, durationMs: durationMs(), retryAfterSeconds: null };
  } finally {
    agents.close();
  }
}

/** Nothing is sent that nobody could prove to be ours; the account has to rotate its secret. */
const unsigned: Posted = { status: null, error: 'no_signing_secret', durationMs: 0, retryAfterSeconds: null };

function signedHeaders({ id, payload, secrets }: Message, now: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, payload)).join(' '),
  };
}
