import type { Response } from 'express';

/** An answer before it is sent, so that it can be kept and repeated to the byte. */
export interface Reply {
  status: number;
  body: object;
}

/** An answer as text, as it is sent and kept. */
export interface KeptReply {
  status: number;
  body: string;
}

/** An answer as text, with what was not understood or not used of its request. */
export function textOf({ status, body }: Reply, warnings: string[] = []): KeptReply {
  return { status, body: JSON.stringify(warnings.length > 0 ? { ...body, warnings } : body) };
}

/** Sends a body that is already JSON text, with the headers that follow from its status. */
export function sendJson(res: Response, status: number, json: string): void {
  const { poll_url: pollUrl } = status === 202 ? JSON.parse(json) : { poll_url: undefined };
  if (pollUrl) res.set({ Location: pollUrl, 'Retry-After': '2' });
  res.status(status).type('application/json').send(json);
}
