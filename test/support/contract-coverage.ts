import { appendFileSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { AssertionError } from 'chai';
import type { Suite } from 'mocha';
import { listStatuses, operations } from '../../schemas/openapi.ts';

// One folder for all processes of a run: mocha's workers inherit the variable.
const isFirst = process.env.SONDE_CONTRACT_RECORDS === undefined;
process.env.SONDE_CONTRACT_RECORDS ??= mkdtempSync(join(tmpdir(), 'sonde-contract-'));
const folder = process.env.SONDE_CONTRACT_RECORDS;
if (isFirst) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const doneFile = join(folder, 'done');
let allFiles: string[] | null = null;

const recorded = new Set<string>();

/** Records a seen status, for all processes of a run. */
export function record(line: string): void {
  if (recorded.has(line)) return;
  recorded.add(line);
  appendFileSync(join(folder, String(process.pid)), `${line}\n`);
}

/**
 * Fails after the last test when a documented status was never seen. Needs a run of all tests of all files. With
 * `--parallel`, only the process that ends last has all records.
 */
export function judgeCoverage(root: Suite): void {
  for (const file of finishedFiles(root)) appendFileSync(doneFile, `${file}\n`);
  // The records of all processes are read once, at the end.
  const done = new Set(readFileSync(doneFile, { encoding: 'utf8', flag: 'a+' }).split('\n'));
  allFiles ??= globSync('test/**/*.test.ts');
  if (!allFiles.every((file) => done.has(file))) return;
  const seen = new Set(
    readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')),
  );
  const documented = operations.flatMap((operation) =>
    listStatuses(operation).map((status) => `${operation.id} ${status}`),
  );
  const unseen = documented.filter((line) => !seen.has(line));
  if (unseen.length > 0) {
    throw new AssertionError(`documented, but never seen in a test:\n${unseen.join('\n')}`);
  }
}

/** Returns the files whose tests all ran. */
function finishedFiles(root: Suite): string[] {
  const isFinished = new Map<string, boolean>();
  root.eachTest((test) => {
    const file = relative(resolve('.'), test.file ?? '');
    const wasRun = test.isPending() || test.state !== undefined;
    isFinished.set(file, wasRun && isFinished.get(file) !== false);
  });
  return [...isFinished].filter(([, finished]) => finished).map(([file]) => file);
}
