import { exitCodes, UsageError } from './exit-codes.js';
import { printableJson } from './printable.js';
import { readSitemap } from './sitemap.js';

/** Commands for existing batches and for sitemaps. Each returns its exit code. */
export const batchCommands = {
  async list({ sonde, options, io }) {
    const filter = options.operands[0] ? { status: options.operands[0] } : {};
    for await (const batch of sonde.batches(filter, { signal: io.signal })) {
      io.stdout.line(options.format === 'table' ? formatBatch(batch) : printableJson(batch));
    }
    return exitCodes.good;
  },

  async cancel({ sonde, options, io }) {
    for (const id of requireIds(options)) {
      const { successful, failed } = await sonde.cancel(id, { signal: io.signal });
      io.stdout.line(`${id} has ended: ${successful} answered, ${failed} without an answer (refunded)`);
    }
    return exitCodes.good;
  },

  async retry({ sonde, options, io }) {
    for (const id of requireIds(options)) {
      const { batch_id: again, total } = await sonde.retry(id, { signal: io.signal });
      io.stdout.line(again);
      io.stderr.line(`Retrying ${countEntries(total)}. See the results with: sonde batch ${again} --watch`);
    }
    return exitCodes.good;
  },

  async again({ sonde, options, io }) {
    const { type, show } = options;
    for (const id of requireIds(options)) {
      const { batch_id: again, total } = await sonde.again(id, { type, show, signal: io.signal });
      io.stdout.line(again);
      io.stderr.line(
        `Checking ${countEntries(total)} again. See the results with: sonde batch ${again} --watch`,
      );
    }
    return exitCodes.good;
  },

  async name({ sonde, options, io }) {
    const [id, ...words] = requireIds(options);
    if (words.length === 0) throw new UsageError('The name is missing: sonde name <id> <name>');
    await sonde.rename(id, words.join(' '), { signal: io.signal });
    return exitCodes.good;
  },

  async sitemap({ options, io }) {
    const [address] = options.operands;
    if (!address) throw new UsageError('The URL of the sitemap is missing: sonde sitemap <url>');
    let isComplete = true;
    for await (const { url, problem } of readSitemap(address, io.signal)) {
      if (problem) io.stderr.line(`sonde: ${problem}`);
      else io.stdout.line(url);
      isComplete &&= !problem;
    }
    return isComplete ? exitCodes.good : exitCodes.noAnswer;
  },
};

function countEntries(total) {
  return total === 1 ? '1 entry' : `${total} entries`;
}

export function requireIds({ operands }) {
  if (operands.length === 0) throw new UsageError('The batch id is missing. sonde list shows your batches.');
  return operands;
}

function formatBatch({ batch_id: id, created_at: at, type, status, total, reference, name }) {
  const day = at.slice(0, 16).replace('T', ' ');
  const cells = [
    id,
    day,
    type.padEnd(7),
    status.padEnd(10),
    String(total).padStart(5),
    name ?? reference ?? '',
  ];
  return cells.join('  ').trimEnd();
}
