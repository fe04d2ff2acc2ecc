import { exitCodes } from './exit-codes.js';
import { invalidRemedy, withLineNumbers } from './faults.js';
import { writeResults } from './output.js';
import { Progress } from './progress.js';
import { isGood } from './verdicts.js';

export const batchEntriesMax = 2000;
// Slices have almost equal sizes. Otherwise, a last slice with one query would be answered directly, without a batch.
const splitEvenly = ({ entries, lines }) => {
  const count = Math.ceil(entries.length / batchEntriesMax);
  const size = Math.ceil(entries.length / count);
  const slice = (all, index) => all.slice(index * size, (index + 1) * size);
  return Array.from({ length: count }, (_, index) => ({
    entries: slice(entries, index),
    lines: slice(lines, index),
  }));
};

/** Submits a list as one or several batches. Calls `onAccepted` with each batch. */
export async function submitAll(sonde, type, list, options, onAccepted) {
  for (const { entries, lines } of splitEvenly(list)) {
    const batch = await sonde.submit(type, entries, options).catch((error) => {
      throw withLineNumbers(error, lines, invalidRemedy);
    });
    onAccepted(batch);
  }
}

/** Waits for batches, one after another, and shows their progress. */
export async function waitForAll(sonde, accepted, { stderr, signal }) {
  const total = accepted.reduce((sum, batch) => sum + batch.total, 0);
  const progress = new Progress(stderr, total);
  const ended = [];
  try {
    for (const { batch_id: id } of accepted) {
      const intervalMs = Math.min(2000, 250 + total / 2);
      const onProgress = stderr.isTTY ? (batch) => progress.show(batch) : undefined;
      const batch = await sonde.ended(id, { onProgress, intervalMs, signal });
      progress.next(batch);
      ended.push(batch);
    }
  } finally {
    progress.clear();
  }
  return ended;
}

/** Writes the results of batches of one type. Returns the exit code. */
export function reportBatches(sonde, batches, options, io) {
  const results = async function* () {
    for (const { batch_id: id, reference } of batches) {
      const found = sonde.results(id, { signal: io.signal });
      // CSV has a column for the reference. The JSON formats have the fields that the service sends.
      if (options.format === 'csv') for await (const result of found) yield { ...result, reference };
      else yield* found;
    }
  };
  return report(results(), batches[0].type, options, io);
}

export async function report(results, type, options, { stdout, stderr }) {
  const counts = { good: 0, bad: 0, failed: 0, skipped: 0 };
  const counted = async function* () {
    for await (const result of results) {
      counts[classify(result, type)] += 1;
      yield result;
    }
  };
  await writeResults(counted(), { ...options, type }, stdout);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped (not charged)` : '';
  stderr.write(`${counts.good} good, ${counts.bad} bad, ${counts.failed} failed (refunded)${skipped}\n`);
  const isAllSkipped = counts.skipped > 0 && counts.good + counts.bad === 0;
  if (counts.failed > 0 || isAllSkipped) return exitCodes.noAnswer;
  return counts.bad > 0 ? exitCodes.findings : exitCodes.good;
}

function classify(result, type) {
  // An entry with `invalid_url` was skipped because of --skip-invalid.
  if (result.state === 'failed') return result.error === 'invalid_url' ? 'skipped' : 'failed';
  return isGood[type](result) ? 'good' : 'bad';
}
