import type { Request, Response } from 'express';
import * as accounts from '../../db/accounts/accounts.ts';
import { notFound } from '../http/errors.ts';
import { answerIfUnchanged } from '../http/etag.ts';
import type { DashboardContext } from './context.ts';
import { Refusal } from './refusal.ts';

/** Sends the logo of an account. Throws a 404 if the account has no logo. */
export async function sendLogo(
  { db }: DashboardContext,
  req: Request,
  res: Response,
  accountId: number,
): Promise<void> {
  const logo = await accounts.findLogo(db, accountId);
  const type = logo && findImageType(logo);
  if (!type) throw notFound('This account has no logo.');
  res.set({ 'Content-Security-Policy': "default-src 'none'", 'X-Content-Type-Options': 'nosniff' });
  if (answerIfUnchanged(req, res, logo.toString('base64'))) return;
  res.set('Content-Type', type).send(logo);
}

/** Reads an uploaded logo. Throws a 422 if it is missing, too large, or of another format than PNG, JPEG or WebP. */
export async function readLogo(file: File | null): Promise<Buffer> {
  const refuse = (message: string) => new Refusal(422, message, { field: 'logo' });
  if (!file) throw refuse('Choose a file.');
  if (file.size > accounts.logoBytesMax) throw refuse('Logos are limited to 100 KB. Make the image smaller.');
  const logo = Buffer.from(await file.arrayBuffer());
  if (!findImageType(logo)) throw refuse('This is not a PNG, JPEG or WebP image. Convert it to one of them.');
  return logo;
}

/** Returns the media type of an image by its first bytes; null for other formats, such as SVG. */
function findImageType(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : null;
}
