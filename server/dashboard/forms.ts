import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { storableText } from '../../db/postgres/text.ts';
import { decoded } from '../../lists/decode.ts';
import { parseUrl } from '../../net/url.ts';
import { refuseLonger } from '../http/read-body.ts';
import { limitParsing, limitReading } from '../limits/slots.ts';
import type { DashboardContext } from './context.ts';
import { Refusal } from './refusal.ts';
import { sessionIdOf, sessionOf } from './visitors.ts';

/** What a form sent, its token checked. */
export interface Form {
  /**
   * A field's text without white space around it, fit to be stored; empty when it is not there. Throws a 422 when it is
   * longer than any such field may be.
   */
  text(name: string): string;
  /** A field's text as it came. */
  raw(name: string): string;
  /** Every text of a field that may stand several times, as it came. */
  all(name: string): string[];
  /** The text of a file that was chosen; empty when none was. */
  file(name: string): Promise<string>;
}

/** More than the longest field, a URL. Some patterns take time with the square of the length. */
const textLengthMax = 4096;

const forms = new WeakMap<Request, Form>();

/** Reads a form that came from a page of ours; anything else changes nothing and is refused. */
export function readForm(context: DashboardContext): RequestHandler[] {
  const readBody = express.urlencoded({
    extended: false,
    limit: 64 * 1024,
    parameterLimit: 100,
    inflate: false,
  });
  return [
    refuseOtherSites(context.config.web.baseUrl),
    readBody,
    admit(context, async (req) => fieldsForm(req.body)),
  ];
}

/**
 * The same for a form of many lines and a file, which takes no other encoding: others cost more to read than
 * to send.
 */
export function readMultipartForm(context: DashboardContext, bytesMax: number): RequestHandler[] {
  const accountOf = (req: Request) => sessionOf(req).accountId;
  return [
    refuseOtherSites(context.config.web.baseUrl),
    refuseLonger(() => bytesMax),
    limitReading(accountOf, () => bytesMax),
    express.raw({ type: 'multipart/form-data', limit: bytesMax, inflate: false }),
    limitParsing(accountOf),
    admit(context, multipartForm),
  ];
}

/** The same where the body is a file: the fields are in the address, and the token in a header, which is not logged. */
export function readFieldsBeside(context: DashboardContext): RequestHandler[] {
  const fieldOf = (req: Request, name: string) =>
    name === 'form_token' ? (req.get('x-form-token') ?? '') : String(req.query[name] ?? '');
  return [
    refuseOtherSites(context.config.web.baseUrl),
    admit(context, async (req) => toForm((name) => fieldOf(req, name))),
  ];
}

/** The form of a request that has passed `readForm`. */
export function formOf(req: Request): Form {
  const form = forms.get(req);
  if (!form) throw new Error('this route is not behind readForm');
  return form;
}

/** What every form of a page must carry: bound to the session, or to the browser while nobody is signed in. */
export function formToken(context: DashboardContext, req: Request, res: Response): string {
  const holder = sessionIdOf(req) ?? context.cookies.read(req, 'visitor');
  if (holder) return masked(sign(context, holder));
  const visitor = randomBytes(16).toString('base64url');
  context.cookies.write(res, 'visitor', visitor);
  return masked(sign(context, visitor));
}

function admit(context: DashboardContext, parse: (req: Request) => Promise<Form>): RequestHandler {
  return async (req, _res, next) => {
    const form = await parse(req);
    if (!isTokenOf(context, req, form.raw('form_token'))) throw outOfDate();
    forms.set(req, form);
    next();
  };
}

function isTokenOf(context: DashboardContext, req: Request, token: string): boolean {
  const holder = sessionIdOf(req) ?? context.cookies.read(req, 'visitor');
  if (!holder) return false;
  const expected = sign(context, holder);
  const given = unmasked(Buffer.from(token, 'base64url'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * In other letters on every page: pages are compressed, and with the same ones the length of a page that
 * repeats what its address says would tell how much of the token was guessed (BREACH).
 */
function masked(token: Buffer): string {
  const mask = randomBytes(token.length);
  return Buffer.concat([mask, xor(mask, token)]).toString('base64url');
}

function unmasked(bytes: Buffer): Buffer {
  const half = Math.floor(bytes.length / 2);
  return xor(bytes.subarray(0, half), bytes.subarray(half, 2 * half));
}

function xor(left: Buffer, right: Buffer): Buffer {
  return left.map((byte, index) => byte ^ (right[index] ?? 0)) as Buffer;
}

function sign({ config }: DashboardContext, holder: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', config.secretKey ?? '', '', 'sonde dashboard forms', 32));
  return createHmac('sha256', key).update(holder).digest();
}

/** A browser says where a form comes from; one that does not send Sec-Fetch-Site sends Origin. */
function refuseOtherSites(baseUrl: string): RequestHandler {
  return (req, _res, next) => {
    const site = req.get('sec-fetch-site');
    const origin = req.get('origin') ?? '';
    const host = parseUrl(origin)?.host ?? null;
    const isOurs = site === undefined ? host === req.host || origin === baseUrl : site === 'same-origin';
    if (!isOurs) throw new Refusal(403, 'This form was not sent from this site.');
    next();
  };
}

function fieldsForm(fields: Record<string, string | string[]> | undefined): Form {
  if (!fields) throw unreadable();
  const allOf = (name: string) => [fields[name] ?? []].flat();
  return { ...toForm((name) => allOf(name)[0] ?? ''), all: allOf };
}

async function multipartForm(req: Request): Promise<Form> {
  if (!Buffer.isBuffer(req.body)) throw unreadable();
  const data = await readMultipart(req.body as Buffer<ArrayBuffer>, req.get('content-type') ?? '');
  if (!data) throw new Refusal(400, 'This form cannot be read.');
  return toForm((name) => data.get(name));
}

function toForm(fieldOf: (name: string) => string | File | null): Form {
  const raw = (name: string) => {
    const value = fieldOf(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    raw,
    all: (name) => [raw(name)].filter(Boolean),
    text: (name) => {
      const text = storableText(raw(name)).trim();
      if (text.length > textLengthMax)
        throw new Refusal(422, 'A field is too long. Shorten it and try again.');
      return text;
    },
    file: async (name) => {
      const value = fieldOf(name);
      return value === null || typeof value === 'string' ? '' : textOf(value);
    },
  };
}

/** Spreadsheets write other encodings, too. */
async function textOf(file: File): Promise<string> {
  let text = '';
  for await (const piece of decoded([new Uint8Array(await file.arrayBuffer())])) text += piece;
  return text.replace(/^\ufeff/, '');
}

function unreadable(): Refusal {
  return new Refusal(415, 'Send this as its page does.');
}

function outOfDate(): Refusal {
  return new Refusal(403, 'This page is out of date. Reload it and try again.');
}

// Several times the fields that any page of ours has; a name of a file is 765 bytes at most.
const partsMax = 100;
const headBytesMax = 1024;

/**
 * The fields of a multipart body. Null when it is none, and when it has more parts or a longer head of one than our
 * pages send: 8 MiB of those hold the event loop for a second or two.
 */
async function readMultipart(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<FormData | null> {
  const [, boundary] = /;\s*boundary="?([\w'-]{1,70})"?\s*(?:;|$)/i.exec(contentType) ?? [];
  if (!boundary || !isPlain(bytes, `--${boundary}`)) return null;
  // Named anew, so that it is taken apart at the boundary that was looked at.
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return new Response(bytes, { headers }).formData().catch(() => null);
}

function isPlain(bytes: Buffer, delimiter: string): boolean {
  let at = bytes.indexOf(delimiter);
  for (let parts = 0; at !== -1; parts++) {
    const head = bytes.subarray(at + delimiter.length, at + delimiter.length + headBytesMax);
    const isLast = head.toString('latin1', 0, 2) === '--';
    if (parts > partsMax || !(isLast || head.includes('\r\n\r\n'))) return false;
    at = bytes.indexOf(delimiter, at + delimiter.length);
  }
  return true;
}
