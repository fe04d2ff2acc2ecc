import { inflateRawSync } from 'node:zlib';
import { Unzip, type UnzipFile, UnzipPassThrough } from 'fflate';
import { ListError } from './list-error.ts';

const entriesMax = 1000;
export const inflatedBytesMax = 64 * 1024 * 1024;
const nameLengthMax = 100;

/** The names of all files in a ZIP, and the bytes of those that were wanted. */
interface ZipContent {
  names: string[];
  files: Map<string, Uint8Array[]>;
}

/**
 * Inflates the wanted files of a ZIP. Counts entries and bytes as they come, because sizes in headers can be wrong.
 * Throws ListError for too many entries or bytes, and for a damaged or encrypted ZIP.
 */
export function readZip(bytes: Uint8Array, isWanted: (name: string) => boolean): ZipContent {
  const content: ZipContent = { names: [], files: new Map() };
  let left = inflatedBytesMax;
  const unzip = new Unzip((file) => {
    const name = toName(file);
    if (content.names.push(name) > entriesMax)
      throw new ListError('This ZIP has more than 1,000 entries. Unpack it, and choose one of its files.');
    if (!isWanted(name) || content.files.has(name)) return;
    content.files.set(name, []);
    const packed: Uint8Array[] = [];
    file.ondata = (error, piece, isLast) => {
      if (error) throw error;
      packed.push(piece);
      if (!isLast) return;
      const inflated = inflate(packed, file.compression, left);
      left -= inflated.length;
      content.files.set(name, [inflated]);
    };
    file.start();
  });
  // zlib inflates instead of fflate, because zlib is faster and stops at a limit.
  unzip.register(PackedPassThrough);
  try {
    unzip.push(bytes, true);
  } catch (error) {
    if (error instanceof ListError) throw error;
    if (isEncrypted(bytes))
      throw new ListError('This ZIP has a password. Unpack it, and choose one of its files.');
    throw new ListError('This file is damaged or incomplete. Download or save it again.');
  }
  return content;
}

class PackedPassThrough extends UnzipPassThrough {
  static override compression = 8;
}

function inflate(pieces: Uint8Array[], compression: number, bytesMax: number): Uint8Array {
  const [only = new Uint8Array()] = pieces;
  const packed = pieces.length === 1 ? only : Buffer.concat(pieces);
  try {
    const inflated =
      compression === 0
        ? packed
        : inflateRawSync(packed, { chunkSize: chunkBytes, maxOutputLength: bytesMax + 1 });
    if (inflated.length <= bytesMax) return inflated;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
  }
  throw new ListError('This file is larger than 64 MB unpacked. Save the table that you need as CSV.');
}

const chunkBytes = 256 * 1024;

/** Some programs write UTF-8 without saying so. */
function toName({ name }: UnzipFile): string {
  const bytes = Buffer.from(name, 'latin1');
  const isLatin1 = bytes.toString('latin1') === name;
  const text = isLatin1 ? bytes.toString('utf8') : name;
  return (text.includes('\ufffd') ? name : text).replaceAll(/\p{Cc}/gu, '').slice(0, nameLengthMax);
}

/** Reads the flag in the header of the first entry (APPNOTE 4.4.4). */
function isEncrypted(bytes: Uint8Array): boolean {
  return ((bytes[6] ?? 0) & 1) === 1;
}
