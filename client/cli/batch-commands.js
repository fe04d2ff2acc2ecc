import { exitCodes, UsageError } from './exit-codes.js';
import { printableJson } from './printable.js';
import { readSitemap } from './sitemap.js';

/** Commands for existing batches and for sitemaps; each returns its exit code. */
export const batchCommands = {
  async list({ sonde, options, io }) {
    const filter = options.operands[0] ? { status: options.operands[0] } : {};
    for await (const batch of sonde.batches(filter, { signal: io.signal })) {
      io.stdout.line(options.format === 'table' ? lineOf(batch) : printableJson(batch));
    }
    return exitCodes.good;
  },

  async cancel({ sonde, options, io }) {
    for (const id of named(options)) {
      const { successful, failed } = await sonde.cancel(id, { signal: io.signal });
      io.stdout.line(`${id} has ended: ${successful} answered, ${failed} without an answer (refunded)`);
    }
    return exitCodes.good;
  },

  async retry({ sonde, options, io }) {
    for (const id of named(options)) {
      const { batch_id: again, total } = await sonde.retry(id, { signal: io.signal });
      io.stdout.line(again);
      io.stderr.line(`${total} tried again. Come back with: sonde batch ${again} --watch`);
    }
    return exitCodes.good;
  },

  async again({ sonde, options, io }) {
    const { type, show } = options;
    for (const id of named(options)) {
      const { batch_id: again, total } = await sonde.again(id, { type, show, signal: io.signal });
      io.stdout.line(again);
      io.stderr.line(`${total} checked again. Come back with: sonde batch ${again} --watch`);
    }
    return exitCodes.good;
  },

  async name({ sonde, options, io }) {
    const [id, ...words] = named(options);
    if (words.length === 0) throw new UsageError('Name a batch by its id, and then say what to call it');
    await sonde.rename(id, words.join(' '), { signal: io.signal });
    return exitCodes.good;
  },

  async sitemap({ options, io }) {
    const [address] = options.operands;
    if (!address) throw new UsageError('Name the address of a sitemap');
    let isWhole = true;
    for await (const { url, problem } of readSitemap(address, io.signal)) {
      if (problem) io.stderr.line(`sonde: ${problem}`);
      else io.stdout.line(url);
      isWhole &&= !problem;
    }
    return isWhole ? exitCodes.good : exitCodes.noAnswer;
  },
};

function named({ operands }) {
  if (operands.length === 0) throw new UsageError('Name a batch by its id');
  return operands;
}

function lineOf({ batch_id: id, created_at: at, type, status, total, reference, name }) {
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
