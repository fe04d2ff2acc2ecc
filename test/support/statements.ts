import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { faultsOf } from './statement-rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const seen = new Set<string>();
const found: string[] = [];

/** Checks every statement that this process sends against the rules of a cluster. */
export function watchStatements(): void {
  const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...args: unknown[]) {
      const [first] = args;
      const text = typeof first === 'string' ? first : (first as { text?: unknown } | undefined)?.text;
      if (typeof text === 'string') look(text);
      return query.apply(this, args);
    },
  });
}

/** Throws when a statement broke a rule. Call it after all tests of a process. */
export function judgeStatements(): void {
  if (found.length === 0) return;
  throw new Error(`Statements that break the rules of a cluster:\n${found.splice(0).join('\n')}`);
}

function look(text: string): void {
  if (seen.has(text)) return;
  seen.add(text);
  if (faultsOf(text).length === 0) return;
  const sender = findSender();
  if (!sender) return;
  const faults = faultsOf(text, { isTest: sender.startsWith('test/') });
  found.push(...faults.map((what) => `${sender} ${what}:\n${text}`));
}

/** Returns the line of the project that sends the statement, or null. */
function findSender(): string | null {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const lines = stack.split('\n').filter((line) => line.includes(root) && !line.includes('node_modules'));
  const ours = lines.filter(
    (line) => !/support\/statements\.ts|db\/postgres\/(renewing-pool|connect|act)\.ts/.test(line),
  );
  const line = ours[0];
  return line ? line.slice(line.indexOf(root) + root.length) : null;
}
