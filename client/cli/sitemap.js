import {
  readDocument,
  sitemapBytesMax,
  sitemapEntriesMax,
  unpackedBytesMax,
} from '../lists/sitemap-document.js';
import { walkSitemaps } from '../lists/sitemaps.js';
import { UsageError } from './exit-codes.js';

const indexMax = 1000;

/**
 * The addresses in a sitemap, those of an index sitemap by sitemap: `url` for each, or `problem`, a sentence, for what
 * was not read. Throws a UsageError when the first cannot be read or is no sitemap, and for an index of more than
 * 1,000, after which nobody would know what is missing.
 */
export async function* readSitemap(address, signal) {
  const problems = [];
  const read = async (each, max) => {
    try {
      const document = await fetchDocument(each, max, signal);
      if (document.kind === 'index' && document.cut === 'entries' && max > 0)
        throw new UsageError(`${each} lists more than ${indexMax} sitemaps`);
      if (document.kind === null) throw new UsageError(`${each} is no sitemap`);
      if (document.cut && document.cut !== 'entries') problems.push(`${each} ${faults[document.cut]}`);
      return document;
    } catch (error) {
      if (each === address || !(error instanceof UsageError)) throw error;
      problems.push(error.message);
      return null;
    }
  };
  for await (const step of walkSitemaps([address], { read, canRead: () => true, indexMax })) {
    for (const url of step.document?.addresses ?? []) yield { url };
    if (step.problem) problems.push(`${step.address} was not read: indexes are read two levels deep`);
    if (step.document?.cut === 'entries')
      problems.push(
        `${step.address} lists more than ${sitemapEntriesMax} addresses, or too long ones; the rest was not read`,
      );
  }
  for (const problem of problems) yield { problem };
}

const faults = {
  size: 'is larger than 10 MB, or 16 MB unpacked; the rest was not read',
  end: 'is damaged or breaks off; what came before was read',
};

async function fetchDocument(address, max, signal) {
  const response = await fetch(address, { signal }).catch((cause) => {
    if (signal?.aborted) throw signal.reason;
    throw new UsageError(`${address} cannot be reached`, { cause });
  });
  if (!response.ok) throw new UsageError(`${address} answered ${response.status}`);
  const { body, cut } = await readBody(response, signal);
  return readDocument(body, {
    url: address,
    format: 'sitemap',
    contentType: response.headers.get('content-type'),
    cut,
    max: { pages: sitemapEntriesMax, index: max, characters: unpackedBytesMax },
  });
}

/** The body up to the limit, and why it is not all of it. */
async function readBody(response, signal) {
  const pieces = [];
  let length = 0;
  let cut = null;
  try {
    for await (const piece of response.body ?? []) {
      pieces.push(piece);
      length += piece.length;
      if (length > sitemapBytesMax) {
        cut = 'size';
        break;
      }
    }
  } catch {
    if (signal?.aborted) throw signal.reason;
    cut = 'end';
  }
  return { body: Buffer.concat(pieces, Math.min(length, sitemapBytesMax)), cut };
}
