import { basename } from 'node:path';
import { exitCodes, UsageError } from './exit-codes.js';
import { withLineNumbers } from './faults.js';
import { printEntries, readEntries } from './input.js';
import { printableJson } from './printable.js';

const types = { http: 'http', index: 'index', rank: 'keyword', keyword: 'keyword' };

/** Commands for monitors. Each returns its exit code. */
export const monitorCommands = {
  watch: (context) => create(context, context.options.operands),

  monitor(context) {
    const [verb, ...operands] = context.options.operands;
    if (!Object.hasOwn(verbs, verb ?? ''))
      throw new UsageError(`Use sonde monitor with one of ${Object.keys(verbs).join(', ')}.`);
    return verbs[verb](context, operands);
  },
};

const verbs = {
  async list({ sonde, options, io }) {
    for await (const monitor of sonde.monitors({}, { signal: io.signal }))
      write(io, options, monitor, formatMonitor(monitor));
    return exitCodes.good;
  },

  async show({ sonde, options, io }, operands) {
    for (const id of requireIds(operands)) {
      const monitor = await sonde.monitor(id, { signal: io.signal });
      write(io, options, monitor, formatMonitor(monitor), formatPrice(monitor));
    }
    return exitCodes.good;
  },

  create,

  async run({ sonde, options, io }, operands) {
    for (const id of requireIds(operands)) {
      const run = await sonde.runMonitor(id, { signal: io.signal });
      write(io, options, run, run.run_id);
    }
    return exitCodes.good;
  },

  pause: (context, operands) => callAndShow('pauseMonitor', context, operands),
  resume: (context, operands) => callAndShow('resumeMonitor', context, operands),

  async delete({ sonde, io }, operands) {
    for (const id of requireIds(operands)) await sonde.deleteMonitor(id, { signal: io.signal });
    return exitCodes.good;
  },

  /** Shows when emails are sent. With `--every`, changes the schedule. */
  async digest({ sonde, options, io }) {
    const { every, at, timezone } = options;
    const digest = every
      ? await sonde.changeDigest({ every, at, timezone, signal: io.signal })
      : await sonde.digest({ signal: io.signal });
    const daily = `every day at ${digest.at} ${digest.timezone}`;
    write(io, options, digest, `Emails ${digest.every === 'day' ? daily : 'when runs end'}`);
    return exitCodes.good;
  },

  async runs({ sonde, options, io }, operands) {
    for (const id of requireIds(operands))
      for await (const run of sonde.monitorRuns(id, {}, { signal: io.signal }))
        write(io, options, run, formatRun(run));
    return exitCodes.good;
  },

  async changes({ sonde, options, io }, operands) {
    for (const id of requireIds(operands))
      for await (const change of sonde.monitorChanges(id, {}, { signal: io.signal }))
        write(io, options, change, formatChange(change));
    return exitCodes.good;
  },
};

/** Creates a monitor for a file or a sitemap, and prints its cost. */
async function create({ sonde, options, io }, [file]) {
  const type = types[options.type ?? 'http'];
  if (!type) throw new UsageError('--type must be http, index or rank.');
  if (!options.every) throw new UsageError('The interval is missing. Use --every hour, day, week or month.');
  if (options.sitemap && options['dry-run'])
    throw new UsageError('--dry-run needs a file. sonde sitemap prints the URLs of a sitemap.');
  if (options.sitemap && file) throw new UsageError('Use a file or --sitemap, not both.');
  const { list, lines } = options.sitemap
    ? { list: { sitemap_url: options.sitemap }, lines: [] }
    : await readMonitorList(type, file, options, io);
  if (options['dry-run']) return printEntries({ entries: list.urls ?? list.queries, lines }, options, io);
  const fields = {
    name: options.name ?? (options.sitemap || (file === '-' ? 'Standard input' : basename(file))),
    type,
    ...list,
    schedule: {
      every: options.every,
      at: options.at,
      on: options.on?.split(',').map((day) => (/^-?\d+$/.test(day) ? Number(day) : day.trim())),
      timezone: options.timezone,
    },
    reference: options.reference,
    ...(options.webhook ? { notify: { webhook_url: options.webhook } } : {}),
  };
  const monitor = await sonde.createMonitor(fields, { signal: io.signal }).catch((error) => {
    throw withLineNumbers(error, lines);
  });
  write(io, options, monitor, monitor.monitor_id);
  io.stderr.line(formatPrice(monitor));
  return exitCodes.good;
}

async function readMonitorList(type, file, options, { stdin, stderr }) {
  const kind = type === 'keyword' ? 'keywords' : 'urls';
  const { entries, lines } = await readEntries(kind, { ...options, operands: [file] }, { stdin, stderr });
  return { list: type === 'keyword' ? { queries: entries } : { urls: entries }, lines };
}

async function callAndShow(method, { sonde, options, io }, operands) {
  for (const id of requireIds(operands)) {
    const monitor = await sonde[method](id, { signal: io.signal });
    write(io, options, monitor, formatMonitor(monitor));
  }
  return exitCodes.good;
}

function requireIds(ids) {
  if (ids.length === 0)
    throw new UsageError('The monitor id is missing. sonde monitor list shows your monitors.');
  return ids;
}

function write({ stdout }, { format }, body, ...lines) {
  for (const line of format === 'table' ? lines : [printableJson(body)]) stdout.line(line);
}

function formatMonitor({ monitor_id: id, type, schedule, status, subjects, next_run_at: next, name }) {
  const cells = [
    id,
    type.padEnd(7),
    schedule.every.padEnd(5),
    status.padEnd(9),
    String(subjects).padStart(5),
  ];
  return [...cells, next ? toMinute(next) : '-'.padEnd(16), name].join('  ');
}

function formatRun({ run_id: id, created_at: at, status, reason, checked, failed, changes }) {
  const counts = `${checked} checked, ${failed} without an answer, ${changes} changed`;
  return [id, toMinute(at), status.padEnd(9), reason ?? counts].join('  ');
}

function formatChange({ at, kind, subject, before, after }) {
  const what = typeof subject === 'string' ? subject : describeQuery(subject);
  const fields = Object.keys(after).map(
    (name) => `${name} ${formatValue(before[name])} → ${formatValue(after[name])}`,
  );
  return [toMinute(at), kind.padEnd(18), what, fields.join(', ')].join('  ').trimEnd();
}

function describeQuery({ keyword, target_url: target, location }) {
  return `${keyword} (${[target, location].filter(Boolean).join(', ')})`;
}

function formatPrice({
  subjects,
  credits_per_run: run,
  credits_per_month: month,
  next_run_at: next,
  schedule,
}) {
  // AI Overviews cost more, but only if they can be read.
  const upTo = run > subjects ? 'up to ' : '';
  const when = next ? `; next ${toMinute(next)} UTC, at ${schedule.at} ${schedule.timezone}` : '';
  return `${upTo}${run} ${run === 1 ? 'credit' : 'credits'} per run, ${month} in the next 30 days${when}`;
}

const toMinute = (at) => at.slice(0, 16).replace('T', ' ');
const formatValue = (value) =>
  typeof value === 'object' && value !== null ? printableJson(value) : `${value ?? '-'}`;
