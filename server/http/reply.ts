import type { Response } from 'express';

/** A response that is not yet sent. It can be stored and sent again. */
export interface Reply {
  status: number;
  body: object;
}

export interface SerializedReply {
  status: number;
  body: string;
}

/** Serializes a response and adds `warnings` to its body. */
export function serializeReply({ status, body }: Reply, warnings: string[] = []): SerializedReply {
  return { status, body: JSON.stringify(warnings.length > 0 ? { ...body, warnings } : body) };
}

export function sendJson(res: Response, status: number, json: string): void {
  const { poll_url: pollUrl } = status === 202 ? JSON.parse(json) : { poll_url: undefined };
  if (pollUrl) res.set({ Location: pollUrl, 'Retry-After': '2' });
  res.status(status).type('application/json').send(json);
}
