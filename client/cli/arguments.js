import { parseArgs } from 'node:util';
import { UsageError } from './exit-codes.js';

const formats = ['table', 'csv', 'json', 'ndjson'];

const options = {
  format: { type: 'string' },
  output: { type: 'string' },
  reference: { type: 'string' },
  'skip-invalid': { type: 'boolean' },
  'no-follow': { type: 'boolean' },
  'user-agent': { type: 'string' },
  watch: { type: 'boolean' },
  url: { type: 'string' },
  column: { type: 'string', multiple: true },
  sheet: { type: 'string' },
  host: { type: 'string' },
  encoding: { type: 'string' },
  'dry-run': { type: 'boolean' },
  lines: { type: 'boolean' },
  table: { type: 'boolean' },
  header: { type: 'boolean' },
  'no-header': { type: 'boolean' },
  'as-keywords': { type: 'boolean' },
  site: { type: 'string' },
  country: { type: 'string' },
  location: { type: 'string' },
  language: { type: 'string' },
  device: { type: 'string' },
  match: { type: 'string' },
  pages: { type: 'string' },
  tag: { type: 'string' },
  competitors: { type: 'string' },
  features: { type: 'boolean' },
  'ai-overview': { type: 'boolean' },
  type: { type: 'string' },
  show: { type: 'string' },
  name: { type: 'string' },
  every: { type: 'string' },
  at: { type: 'string' },
  on: { type: 'string' },
  timezone: { type: 'string' },
  sitemap: { type: 'string' },
  webhook: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
};

/** Returns the command, its operands and its options. */
export function readArguments(argv) {
  const { values, positionals } = parse(argv);
  const [command, ...operands] = positionals;
  return { command, operands, ...values, format: chooseFormat(values) };
}

function parse(argv) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function chooseFormat({ format, output = '' }) {
  const byExtension = formats.find((name) => output.endsWith(`.${name}`));
  const chosen = format ?? byExtension ?? 'table';
  if (formats.includes(chosen)) return chosen;
  throw new UsageError(`--format must be one of ${formats.join(', ')}.`);
}
