import type { Request, RequestHandler, Response } from 'express';
import { toStorableText } from '../../../db/postgres/text.ts';
import { fileBytesMax } from '../../../lists/list.ts';
import { FairLimit, type Slot } from '../../../process/fair-limit.ts';
import { discardBody } from '../../http/errors.ts';
import { holdUntilClosed } from '../../limits/slots.ts';
import type { Form } from '../forms.ts';
import { Refusal } from '../refusal.ts';
import { findSession, getSession } from '../visitors.ts';

export interface ListFile {
  name: string;
  /** Number of bytes, even after the documents thread has taken over the memory of `bytes`. */
  size: number;
  bytes: Buffer;
  /** The bytes as base64, which the form carries to its next step; null if a script sends the file. */
  content: string | null;
}

export const fileTooLarge =
  'Files are limited to 32 MB. Split the file or remove columns. You were not charged.';

/** Without scripts, a form carries the file to its next step as base64, within the 3 MiB of a page. */
const carriedBytesMax = 2 * 1024 * 1024;

/** Maximum numbers of large files read at the same time. A file and its entries take tens of megabytes of memory. */
const slotCounts = { total: 8, perAccount: 1 };

/** Smaller files need no slot. Otherwise, slow senders of eight accounts could keep all others waiting. */
const largeBytesMin = 1024 * 1024;

/**
 * Maximum number of lists that an account sends, or whose pages it receives, at the same time. A list of 10,000
 * keywords takes a quarter of a second of the event loop, and its page megabytes of memory. The scripts of the form
 * send one request at a time.
 */
const listsPerAccount = 2;

/** Refuses further lists of an account before they are received. Waiting requests would fill the memory. */
export function limitLists(): RequestHandler {
  const slots = new FairLimit({ total: Number.POSITIVE_INFINITY, perAccount: listsPerAccount });
  return (req, res, next) => {
    const session = findSession(req);
    const hasList = req.method !== 'GET' || req.query.monitor || req.query.from;
    if (!session || !hasList) return next();
    const slot = slots.tryAcquire(session.accountId);
    if (!slot) {
      const message =
        'Other lists of your account are being read. You were not charged. Try again in a moment.';
      throw new Refusal(429, message, { headers: { 'Retry-After': '5' } });
    }
    listSlots.set(res, slot);
    if (holdUntilClosed(slot, res)) next();
  };
}

const listSlots = new WeakMap<Response, Slot>();

/** Releases the slot of a list early. Call this before the request waits for a sitemap. */
export function releaseListSlot(res: Response): void {
  listSlots.get(res)?.release();
}

/** Limits the large files that are read at the same time, per account and in total. */
export function limitFiles(): RequestHandler {
  const slots = new FairLimit(slotCounts);
  return (req, res, next) => {
    const isChunked = req.headers['transfer-encoding'] !== undefined;
    if (!isChunked && Number(req.headers['content-length'] ?? 0) < largeBytesMin) return next();
    const slot = slots.tryAcquire(getSession(req).accountId);
    if (!slot) {
      const message = 'Another file is being read. You were not charged. Try again in a moment.';
      throw new Refusal(429, message, { headers: { 'Retry-After': '5' } });
    }
    if (holdUntilClosed(slot, res)) next();
  };
}

/** Receives a file that is the body of a request. Throws a 400 or 413. */
export async function receiveFile(req: Request, form: Form): Promise<ListFile> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    // `destroyOnReturn: false` keeps the connection open for the response.
    for await (const piece of req.iterator({ destroyOnReturn: false })) {
      length += piece.length;
      if (length > fileBytesMax) throw new Refusal(413, fileTooLarge);
      pieces.push(piece);
    }
  } catch (error) {
    throw req.errored ? new Refusal(400, 'The upload was interrupted. Try again.') : error;
  } finally {
    discardBody(req);
  }
  const name = toFileName(form.raw('file_name'));
  return { name, size: length, bytes: Buffer.concat(pieces), content: null };
}

/** Returns the file that the user chose, or else the file that the form carries from its last step. Throws a 413. */
export async function findFile(form: Form): Promise<ListFile | null> {
  const chosen = form.file('file');
  if (!chosen && (form.raw('file_name') === '' || form.text('remove_file'))) return null;
  if (chosen && chosen.size > carriedBytesMax) {
    throw new Refusal(
      413,
      'Without JavaScript, files are limited to 2 MB. Split the file or remove columns.',
    );
  }
  const bytes = chosen
    ? Buffer.from(await chosen.arrayBuffer())
    : Buffer.from(form.raw('file_bytes'), 'base64');
  const name = toFileName(chosen?.name ?? form.raw('file_name'));
  return { name, size: bytes.length, bytes, content: bytes.toString('base64') };
}

function toFileName(name: string): string {
  return toStorableText(name.slice(0, 255)).trim() || 'File';
}
