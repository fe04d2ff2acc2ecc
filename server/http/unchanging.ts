import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** How a body can be compressed, the smallest first. */
const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

/** A text that is the same for everybody. */
export interface Unchanging {
  /** Ends an answer with it, as the caller takes it; its type is set before. */
  send(req: Request, res: Response): Promise<void>;
}

/**
 * Text that does not change while the process lives, compressed once in each way and not again for each who asks:
 * who asks needs no token. `encode`: does so.
 */
export function unchanging(body: Buffer, encode = compress): Unchanging {
  const compressed = new Map<Encoding, Promise<Buffer>>();
  const as = (encoding: Encoding) => {
    const known = compressed.get(encoding) ?? encode(encoding, body);
    compressed.set(encoding, known);
    return known;
  };
  return {
    send: async (req, res) => {
      const encoding = encodings.find((each) => req.acceptsEncodings(each));
      res.vary('Accept-Encoding');
      if (!encoding || body.length < worthBytes) res.send(body);
      else res.set('Content-Encoding', encoding).send(await as(encoding));
    },
  };
}

// As for other answers.
const worthBytes = 1024;

function compress(encoding: Encoding, body: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: 9 });
  return promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}
