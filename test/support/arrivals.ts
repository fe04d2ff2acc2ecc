import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { bytesReadOf } from '../../server/http/read-bytes.ts';

const begun = 'http.server.request.start';

/** Requests that have come to any server of this process since, and how much of their bodies was read. */
export interface Arrivals {
  /** For each of them in the order they came: bytes that were read of its body. */
  bytesRead(): number[];
  forget(): void;
  stop(): void;
}

/** Notes requests from now on, until it is stopped. */
export function noteArrivals(): Arrivals {
  const requests: Request[] = [];
  const note = (message: unknown) =>
    requests.push((message as { request: IncomingMessage }).request as Request);
  subscribe(begun, note);
  return {
    bytesRead: () => requests.map(bytesReadOf),
    forget: () => {
      requests.length = 0;
    },
    stop: () => unsubscribe(begun, note),
  };
}
