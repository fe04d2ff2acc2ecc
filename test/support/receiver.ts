import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { serve, type TestSite } from './web.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  /** With what follows the receiver's own address. */
  url: string;
  /** As it came, for the signature is over these very characters. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  body: any;
}

export interface Receiver extends TestSite {
  received: Received[];
}

/**
 * A receiver of webhooks; `answer` is asked with the number of the request, from 1 on, and 204 is the
 * default.
 */
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

/** Throws unless the message is signed with the secret and fresh. */
export function verifySignature({ headers, text }: Received, secret: string): void {
  new Webhook(secret).verify(text, headers as Record<string, string>);
}
