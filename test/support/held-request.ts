import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface HeldRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
}

export interface HeldAnswer {
  status: number;
  location: string | null;
  text: string;
}

/** Sends the headers of a request on a connection of its own. Returns a function that sends the body. */
export function holdBack({ method, url, headers, body }: HeldRequest): () => Promise<HeldAnswer> {
  const bytes = Buffer.from(body as string);
  const sent: ClientRequest = request(url, {
    method,
    agent: false,
    headers: { ...headers, 'Content-Length': bytes.length },
  });
  sent.flushHeaders();
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // A connection may break when the answer is not used.
  answered.catch(() => {});
  return async () => {
    sent.end(bytes);
    const [response] = await answered;
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    return { status: response.statusCode ?? 0, location: response.headers.location ?? null, text };
  };
}
