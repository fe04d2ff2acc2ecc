import express, { type Request, type RequestHandler, type Response } from 'express';
import { type JsonBody, type JsonFault, readJsonBody } from '../../lists/json-body.ts';
import { ApiError } from '../../process/api-error.ts';
import type { Context } from '../context.ts';
import { closeSignal, inlineParseBytesMax, limitParsing, limitReading } from '../limits/slots.ts';
import { getCaller } from './authenticate.ts';
import { bodyTooLarge, validationError } from './errors.ts';
import { recordBodyHash } from './idempotency.ts';
import { getOperation } from './permit.ts';

const listBytesMax = 8 * 1024 * 1024;
/** Enough for a URL of 2,048 characters, all of them escaped. */
const singleBytesMax = 16 * 1024;

/** Reads a JSON body. Invalid UTF-8 becomes U+FFFD. Throws ApiError with status 400, 413, 415 or 422. */
export function readBody({ documents }: Pick<Context, 'documents'>): RequestHandler[] {
  const readList = express.raw({ type: 'application/json', limit: listBytesMax, inflate: false });
  const readSingle = express.raw({ type: 'application/json', limit: singleBytesMax, inflate: false });
  const parse: RequestHandler = async (req, res, next) => {
    if (!Buffer.isBuffer(req.body)) return next();
    const bytes: Buffer = req.body;
    const body =
      bytes.length <= inlineParseBytesMax ? readJsonBody(bytes) : await readOnThread(req, res, bytes);
    if (!body) return;
    if (body.fault) throw faults[body.fault]();
    recordBodyHash(req, Buffer.from(body.sha256));
    req.body = body.value;
    next();
  };

  /** Returns null if the client disconnects. */
  function readOnThread(req: Request, res: Response, bytes: Buffer): Promise<JsonBody | null> {
    const reader = { accountId: getAccountId(req), signal: closeSignal(res) };
    return documents.readJson(bytes, reader).catch((error) => {
      if (reader.signal.aborted) return null;
      throw error;
    });
  }

  return [
    requireJson,
    limitBodyLength(getBytesMax),
    limitReading(getAccountId, getBytesMax),
    (req, res, next) => (isList(req) ? readList : readSingle)(req, res, next),
    limitParsing(getAccountId),
    parse,
  ];
}

const getAccountId = (req: Request) => getCaller(req).accountId;

/** Rejects a long body before it arrives. Express would first read the whole body. */
export function limitBodyLength(getBytesMax: (req: Request) => number): RequestHandler {
  return (req, _res, next) => {
    if (Number(req.headers['content-length'] ?? 0) > getBytesMax(req)) throw bodyTooLarge();
    next();
  };
}

const requireJson: RequestHandler = (req, _res, next) => {
  const hasBody =
    req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  // JSON is UTF-8 (RFC 8259 section 8.1).
  const isUtf8 = !/;\s*charset\s*=\s*"?(?!utf-8\b)[^\s"]/i.test(req.headers['content-type'] ?? '');
  if (hasBody && !(req.is('application/json') && isUtf8)) {
    throw new ApiError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  next();
};

const isList = (req: Request) => getOperation(req).body?.isList === true;

function getBytesMax(req: Request): number {
  return isList(req) ? listBytesMax : singleBytesMax;
}

const faults: Record<JsonFault, () => ApiError> = {
  invalid: () => new ApiError('invalid_json', 'The body is not valid JSON.'),
  too_many_values: bodyTooLarge,
  too_deep: () => validationError({ body: ['Is nested more than 20 levels deep.'] }),
};
