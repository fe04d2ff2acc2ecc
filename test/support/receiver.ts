import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { serve, type TestSite } from './web.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  /** Path and query. */
  url: string;
  /** The body as received, which the signature covers. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  body: any;
}

export interface Receiver extends TestSite {
  received: Received[];
}

/** Starts a receiver of webhooks. `nth` counts the requests from 1. Default answer: 204. */
export async function receive(
  answer: (res: ServerResponse, nth: number) => void = (res) => res.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const site = await serve(async (req, res) => {
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    received.push({ headers: req.headers, url: req.url ?? '', text, body: JSON.parse(text) });
    answer(res, received.length);
  });
  return { ...site, received };
}

/** Runs a receiver for a suite. Its fields are set when the suite's hooks have run. */
export function useReceiver(answer?: (res: ServerResponse, nth: number) => void): Receiver {
  const receiver = {} as Receiver;
  before(async () => void Object.assign(receiver, await receive(answer)));
  after(() => receiver.close());
  return receiver;
}

/** Throws unless the message is fresh and signed with the secret. */
export function verifySignature({ headers, text }: Received, secret: string): void {
  new Webhook(secret).verify(text, headers as Record<string, string>);
}
