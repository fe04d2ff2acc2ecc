import type { Response } from 'express';

/** A response before it is sent, so that it can be stored and replayed byte for byte. */
export interface Reply {
  status: number;
  body: object;
}

/** A response with its body as JSON text. */
export interface SerializedReply {
  status: number;
  body: string;
}

/** Serializes a response and adds `warnings` to its body. */
export function serializeReply({ status, body }: Reply, warnings: string[] = []): SerializedReply {
  return { status, body: JSON.stringify(warnings.length > 0 ? { ...body, warnings } : body) };
}

/** Sends a JSON text. A 202 also gets Location and Retry-After. */
export function sendJson(res: Response, status: number, json: string): void {
  const { poll_url: pollUrl } = status === 202 ? JSON.parse(json) : { poll_url: undefined };
  if (pollUrl) res.set({ Location: pollUrl, 'Retry-After': '2' });
  res.status(status).type('application/json').send(json);
}
