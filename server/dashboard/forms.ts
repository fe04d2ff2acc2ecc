import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { DashboardContext } from './context.ts';
import { Refusal } from './refusal.ts';
import { sessionIdOf } from './visitors.ts';

/** What a form sent, its token checked. */
export interface Form {
  /** A field's text without white space around it; empty when it is not there. */
  text(name: string): string;
  /** A field's text as it came. */
  raw(name: string): string;
  /** The text of a file that was chosen; empty when none was. */
  file(name: string): Promise<string>;
}

const forms = new WeakMap<Request, Form>();

/** Reads a form that came from a page of ours; anything else changes nothing and is refused. */
export function readForm(context: DashboardContext, bytesMax = 64 * 1024): RequestHandler[] {
  const types = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  const readBody = express.raw({ type: types, limit: bytesMax, inflate: false });
  const parse: RequestHandler = async (req, _res, next) => {
    const data = await parseForm(req);
    const token = data.get('form_token');
    if (typeof token !== 'string' || !isTokenOf(context, req, token)) throw outOfDate();
    forms.set(req, toForm(data));
    next();
  };
  return [refuseOtherSites(context.config.web.baseUrl), readBody, parse];
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
  if (holder) return sign(context, holder);
  const visitor = randomBytes(16).toString('base64url');
  context.cookies.write(res, 'visitor', visitor);
  return sign(context, visitor);
}

function isTokenOf(context: DashboardContext, req: Request, token: string): boolean {
  const holder = sessionIdOf(req) ?? context.cookies.read(req, 'visitor');
  if (!holder) return false;
  const expected = Buffer.from(sign(context, holder));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign({ config }: DashboardContext, holder: string): string {
  const key = Buffer.from(hkdfSync('sha256', config.secretKey ?? '', '', 'sonde dashboard forms', 32));
  return createHmac('sha256', key).update(holder).digest('base64url');
}

/** A browser says where a form comes from; one that does not send Sec-Fetch-Site sends Origin. */
function refuseOtherSites(baseUrl: string): RequestHandler {
  return (req, _res, next) => {
    const site = req.get('sec-fetch-site');
    const origin = req.get('origin') ?? '';
    const host = URL.canParse(origin) ? new URL(origin).host : null;
    const isOurs = site === undefined ? host === req.host || origin === baseUrl : site === 'same-origin';
    if (!isOurs) throw new Refusal(403, 'This form was not sent from this site.');
    next();
  };
}

async function parseForm(req: Request): Promise<FormData> {
  const type = req.get('content-type') ?? '';
  if (!Buffer.isBuffer(req.body)) throw new Refusal(415, 'Send this as a form.');
  try {
    return await new globalThis.Response(new Uint8Array(req.body), {
      headers: { 'Content-Type': type },
    }).formData();
  } catch {
    throw new Refusal(400, 'This form cannot be read.');
  }
}

function toForm(data: FormData): Form {
  const raw = (name: string) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    raw,
    text: (name) => raw(name).trim(),
    file: async (name) => {
      const value = data.get(name);
      return value === null || typeof value === 'string' ? '' : value.text();
    },
  };
}

function outOfDate(): Refusal {
  return new Refusal(403, 'This page is out of date. Reload it and try again.');
}
