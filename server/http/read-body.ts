import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { checkTypes } from '../../schemas/check-types.ts';
import { urlCheckTypes } from '../../schemas/url-requests.ts';
import { rememberBody } from './idempotency.ts';
import { hasMoreParts } from './json-parts.ts';

export const bulkBytesMax = 8 * 1024 * 1024;
// An address of 2,048 characters, each of them escaped.
const singleBytesMax = 16 * 1024;
// Two thousand queries with every field there is, and as much again.
const partsMax = 100_000;

/** How long a body may be, by the path under /api/v1: lists are long. */
export function bodyBytesMax(path: string): number {
  return listPaths.has(path.replace(/\/$/, '')) ? bulkBytesMax : singleBytesMax;
}

const listPaths = new Set([
  ...urlCheckTypes.map((type) => `${checkTypes[type].urlPath}/bulk`),
  '/keyword-track',
]);

/** Reads a body as JSON; what would cost more to parse than to send is refused before. */
export const readJson: RequestHandler = (req, res, next) => {
  (bodyBytesMax(req.path) === bulkBytesMax ? readList : readSingle)(req, res, next);
};

// Compressed bodies are refused: a small one can unpack to any size.
const readerOf = (limit: number) =>
  express.json({ limit, strict: false, inflate: false, verify: lookAtBody });

const [readList, readSingle] = [readerOf(bulkBytesMax), readerOf(singleBytesMax)];

function lookAtBody(req: IncomingMessage, res: unknown, bytes: Buffer): void {
  // In the way of the parser's own errors, which it hands on with more written to them.
  if (hasMoreParts(bytes, partsMax)) throw Object.assign(new Error('too many values'), { status: 413 });
  rememberBody(req, res, bytes);
}
