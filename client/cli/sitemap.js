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
 * Yields a `url` for each URL in a sitemap or an index of sitemaps. Then yields a `problem` for each part that was not
 * read. Throws UsageError if `address` cannot be read or is not a sitemap, or if an index has more than 1,000 sitemaps.
 */
export async function* readSitemap(address, signal) {
  const problems = [];
  const read = async (each, max) => {
    try {
      const document = await fetchDocument(each, max, signal);
      if (document.kind === 'index' && document.cut === 'entries' && max > 0)
        throw new UsageError(`${each} lists more than ${indexMax} sitemaps.`);
      if (document.kind === null) throw new UsageError(`${each} is not a sitemap.`);
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
    if (step.problem) problems.push(`${step.address} was not read. Indexes are read two levels deep.`);
    if (step.document?.cut === 'entries')
      problems.push(
        `${step.address} lists more than ${sitemapEntriesMax} URLs, or URLs that are too long. The rest was not read.`,
      );
  }
  for (const problem of problems) yield { problem };
}

const faults = {
  size: 'is larger than 10 MB, or 16 MB unpacked. The rest was not read.',
  end: 'is damaged or incomplete. URLs before the fault were read.',
};

async function fetchDocument(address, max, signal) {
  const response = await fetch(address, { signal }).catch((cause) => {
    if (signal?.aborted) throw signal.reason;
    throw new UsageError(`${address} cannot be reached.`, { cause });
  });
  if (!response.ok) throw new UsageError(`${address} answered with status ${response.status}.`);
  const { body, cut } = await readBody(response, signal);
  return readDocument(body, {
    url: address,
    format: 'sitemap',
    contentType: response.headers.get('content-type'),
    cut,
    max: { pages: sitemapEntriesMax, index: max, characters: unpackedBytesMax },
  });
}

/** Returns the body up to the limit. `cut` is the reason why it is incomplete; null if it is complete. */
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
