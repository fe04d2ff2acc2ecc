import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { toStorableText } from '../../db/postgres/text.ts';
import { parseUrl } from '../../net/url.ts';
import { limitBodyLength } from '../http/read-body.ts';
import { limitParsing, limitReading } from '../limits/slots.ts';
import type { DashboardContext } from './context.ts';
import { Refusal } from './refusal.ts';
import { findSessionId, getSession } from './visitors.ts';

/** A submitted form with a valid form token. */
export interface Form {
  /**
   * Returns the trimmed text of a field; '' if the field is missing. Replaces characters that Postgres cannot store.
   * Throws a 422 if the text is too long.
   */
  text(name: string): string;
  /** Returns the text of a field as sent. */
  raw(name: string): string;
  /** Returns all values of a repeated field as sent. */
  all(name: string): string[];
  /** Returns an uploaded file; null if the field has no file. */
  file(name: string): File | null;
}

/** Maximum length of `text`. Some regular expressions that read it take quadratic time. */
const textLengthMax = 4096;

const forms = new WeakMap<Request, Form>();

/** Reads a form. Rejects a form from another site, and a form without a valid token. */
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
    requireFormToken(context, async (req) => parseFields(req.body)),
  ];
}

/** Reads a form that can contain a file. Rejects compressed bodies, because they may be huge when unpacked. */
export function readMultipartForm(context: DashboardContext, bytesMax: number): RequestHandler[] {
  const accountOf = (req: Request) => getSession(req).accountId;
  return [
    refuseOtherSites(context.config.web.baseUrl),
    limitBodyLength(() => bytesMax),
    limitReading(accountOf, () => bytesMax),
    express.raw({ type: 'multipart/form-data', limit: bytesMax, inflate: false }),
    limitParsing(accountOf),
    requireFormToken(context, parseMultipart),
  ];
}

/** Reads a form whose body is a file. Fields are in the query. The token is in a header, because URLs are logged. */
export function readQueryForm(context: DashboardContext): RequestHandler[] {
  const getField = (req: Request, name: string) =>
    name === 'form_token' ? (req.get('x-form-token') ?? '') : String(req.query[name] ?? '');
  return [
    refuseOtherSites(context.config.web.baseUrl),
    requireFormToken(context, async (req) => toForm((name) => getField(req, name))),
  ];
}

/** Returns the form that an earlier middleware has read and validated. */
export function getForm(req: Request): Form {
  const form = forms.get(req);
  if (!form) throw new Error('this route is not behind readForm');
  return form;
}

/** Creates the token of a page's forms. It is bound to the session. Before sign-in, it is bound to the browser. */
export function formToken(context: DashboardContext, req: Request, res: Response): string {
  const holder = findSessionId(req) ?? context.cookies.read(req, 'visitor');
  if (holder) return mask(sign(context, holder));
  const visitor = randomBytes(16).toString('base64url');
  context.cookies.write(res, 'visitor', visitor);
  return mask(sign(context, visitor));
}

function requireFormToken(context: DashboardContext, parse: (req: Request) => Promise<Form>): RequestHandler {
  return async (req, _res, next) => {
    const form = await parse(req);
    if (!isValidToken(context, req, form.raw('form_token'))) throw outdatedForm();
    forms.set(req, form);
    next();
  };
}

function isValidToken(context: DashboardContext, req: Request, token: string): boolean {
  const holder = findSessionId(req) ?? context.cookies.read(req, 'visitor');
  if (!holder) return false;
  const expected = sign(context, holder);
  const given = unmask(Buffer.from(token, 'base64url'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Masks the token. A token that is the same on every compressed page could be guessed (BREACH attack). */
function mask(token: Buffer): string {
  const pad = randomBytes(token.length);
  return Buffer.concat([pad, xor(pad, token)]).toString('base64url');
}

function unmask(bytes: Buffer): Buffer {
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

/** Checks `Sec-Fetch-Site`. Older browsers do not send this header, so their `Origin` is checked. */
function refuseOtherSites(baseUrl: string): RequestHandler {
  return (req, _res, next) => {
    const site = req.get('sec-fetch-site');
    const origin = req.get('origin') ?? '';
    const host = parseUrl(origin)?.host ?? null;
    const isOurs = site === undefined ? host === req.host || origin === baseUrl : site === 'same-origin';
    if (!isOurs)
      throw new Refusal(403, 'This form was sent from another site. Open the page in Sonde and try again.');
    next();
  };
}

function parseFields(fields: Record<string, string | string[]> | undefined): Form {
  if (!fields) throw unsupportedType();
  const getAll = (name: string) => [fields[name] ?? []].flat();
  return { ...toForm((name) => getAll(name)[0] ?? ''), all: getAll };
}

async function parseMultipart(req: Request): Promise<Form> {
  if (!Buffer.isBuffer(req.body)) throw unsupportedType();
  const data = await readMultipart(req.body as Buffer<ArrayBuffer>, req.get('content-type') ?? '');
  if (!data) throw new Refusal(400, 'We could not read this form. Reload the page and try again.');
  return toForm((name) => data.get(name));
}

function toForm(getField: (name: string) => string | File | null): Form {
  const raw = (name: string) => {
    const value = getField(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    raw,
    all: (name) => [raw(name)].filter(Boolean),
    text: (name) => {
      const text = toStorableText(raw(name)).trim();
      if (text.length > textLengthMax)
        throw new Refusal(422, 'A field is too long. Shorten it and try again.');
      return text;
    },
    file: (name) => {
      const value = getField(name);
      // Browsers send a file without a name for a field without a file.
      return typeof value === 'object' && value?.name ? value : null;
    },
  };
}

function unsupportedType(): Refusal {
  return new Refusal(415, 'The content type of this form is not supported. Reload the page and try again.');
}

function outdatedForm(): Refusal {
  return new Refusal(403, 'This page has expired. Reload it and try again.', { title: 'Form expired' });
}

// Limits of a multipart body. Our forms have far fewer parts. The header of a part contains a file name of up to 765
// bytes.
const partsMax = 100;
const headBytesMax = 1024;

/**
 * Parses a multipart body. Returns null if the body is invalid or exceeds the limits above. Without these limits, 4 MiB
 * of small parts would block the event loop for half a second.
 */
async function readMultipart(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<FormData | null> {
  const [, boundary] = /;\s*boundary="?([\w'-]{1,70})"?\s*(?:;|$)/i.exec(contentType) ?? [];
  if (!boundary || !isWithinLimits(bytes, `--${boundary}`)) return null;
  // The parser gets a new header, so that it uses the same boundary.
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return new Response(bytes, { headers }).formData().catch(() => null);
}

function isWithinLimits(bytes: Buffer, delimiter: string): boolean {
  let at = bytes.indexOf(delimiter);
  for (let parts = 0; at !== -1; parts++) {
    const head = bytes.subarray(at + delimiter.length, at + delimiter.length + headBytesMax);
    const isLast = head.toString('latin1', 0, 2) === '--';
    if (parts > partsMax || !(isLast || head.includes('\r\n\r\n'))) return false;
    at = bytes.indexOf(delimiter, at + delimiter.length);
  }
  return true;
}
