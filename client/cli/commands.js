import { batchCommands, requireIds } from './batch-commands.js';
import { exitCodes, UsageError } from './exit-codes.js';
import { withLineNumbers } from './faults.js';
import { describePrice, printEntries, readEntries } from './input.js';
import { monitorCommands } from './monitor-commands.js';
import { requireWritable } from './output.js';
import { printableJson } from './printable.js';
import { batchEntriesMax, report, reportBatches, submitAll, waitForAll } from './run-batches.js';

/** Each command returns its exit code. */
export const commands = {
  ...batchCommands,
  ...monitorCommands,

  http: (context) => check(context, 'http'),
  index: (context) => check(context, 'index'),
  rank: (context) => check(context, 'keyword'),

  async batch({ sonde, options, io }) {
    const ids = requireIds(options);
    await requireWritable(options.output);
    const batches = [];
    for (const id of ids) batches.push(await sonde.batch(id, { signal: io.signal }));
    if (new Set(batches.map(({ type }) => type)).size > 1) {
      throw new UsageError('These batches have different types. Request them one by one.');
    }
    const running = batches.find((batch) => batch.completed_at === null);
    if (running && !options.watch) {
      const { batch_id: id, progress, processed, total } = running;
      io.stdout.line(`${id} is running: ${progress}, ${processed} of ${total}. Use --watch to wait for it.`);
      return exitCodes.good;
    }
    io.resumable.push(...ids);
    return reportBatches(sonde, await waitForAll(sonde, batches, io), options, io);
  },

  async credits({ sonde, options, io }) {
    const credits = await sonde.credits({ signal: io.signal });
    io.stdout.line(options.format === 'table' ? credits : printableJson({ credits }));
    return exitCodes.good;
  },
};

async function check({ sonde, options, io }, type) {
  const { entries, lines } = await readEntries(type === 'keyword' ? 'keywords' : 'urls', options, io);
  if (options['dry-run']) return printEntries({ entries, lines }, options, io);
  await requireWritable(options.output);
  io.stderr.line(describePrice(entries, options));
  const [only] = entries;
  if (type === 'keyword' && entries.length === 1) {
    const result = await sonde.rank(only, { signal: io.signal }).catch((error) => {
      throw withLineNumbers(error, lines);
    });
    return report([{ state: 'success', credits: 1, ...result }], type, options, io);
  }
  const accepted = [];
  const request = {
    reference: options.reference,
    // The service also finds queries that are equal with its default values.
    dedupe: true,
    onInvalid: options['skip-invalid'] ? 'skip' : undefined,
    followRedirects: options['no-follow'] ? false : undefined,
    userAgent: options['user-agent'],
    submissionId: entries.length > batchEntriesMax ? crypto.randomUUID() : undefined,
    signal: io.signal,
  };
  await submitAll(sonde, type, { entries, lines }, request, (batch) => {
    accepted.push(batch);
    io.resumable.push(batch.batch_id);
  });
  return reportBatches(sonde, await waitForAll(sonde, accepted, io), options, io);
}
