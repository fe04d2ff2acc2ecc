import { basename } from 'node:path';
import { exitCodes, UsageError } from './exit-codes.js';
import { inLines } from './faults.js';
import { readEntries } from './input.js';
import { printableJson } from './printable.js';

const types = { http: 'http', index: 'index', rank: 'keyword', keyword: 'keyword' };

/** Checks that repeat; each answers its exit code. */
export const monitorCommands = {
  watch: (context) => create(context, context.options.operands),

  monitor(context) {
    const [verb, ...operands] = context.options.operands;
    if (!Object.hasOwn(verbs, verb ?? ''))
      throw new UsageError(`Say what to do with monitors: ${Object.keys(verbs).join(', ')}`);
    return verbs[verb](context, operands);
  },
};

const verbs = {
  async list({ sonde, options, io }) {
    for await (const monitor of sonde.monitors({}, { signal: io.signal }))
      write(io, options, monitor, lineOf(monitor));
    return exitCodes.good;
  },

  async show({ sonde, options, io }, operands) {
    for (const id of named(operands)) {
      const monitor = await sonde.monitor(id, { signal: io.signal });
      write(io, options, monitor, lineOf(monitor), priceOf(monitor));
    }
    return exitCodes.good;
  },

  create,

  async run({ sonde, options, io }, operands) {
    for (const id of named(operands)) {
      const run = await sonde.runMonitor(id, { signal: io.signal });
      write(io, options, run, run.run_id);
    }
    return exitCodes.good;
  },

  pause: (context, operands) => shownAfter('pauseMonitor', context, operands),
  resume: (context, operands) => shownAfter('resumeMonitor', context, operands),

  async delete({ sonde, io }, operands) {
    for (const id of named(operands)) await sonde.deleteMonitor(id, { signal: io.signal });
    return exitCodes.good;
  },

  /** When mails come; with --every that is changed. */
  async digest({ sonde, options, io }) {
    const { every, at, timezone } = options;
    const digest = every
      ? await sonde.changeDigest({ every, at, timezone, signal: io.signal })
      : await sonde.digest({ signal: io.signal });
    const daily = `each day at ${digest.at} ${digest.timezone}`;
    write(io, options, digest, `Mails ${digest.every === 'day' ? daily : 'when runs end'}`);
    return exitCodes.good;
  },

  async runs({ sonde, options, io }, operands) {
    for (const id of named(operands))
      for await (const run of sonde.monitorRuns(id, {}, { signal: io.signal }))
        write(io, options, run, runLineOf(run));
    return exitCodes.good;
  },

  async changes({ sonde, options, io }, operands) {
    for (const id of named(operands))
      for await (const change of sonde.monitorChanges(id, {}, { signal: io.signal }))
        write(io, options, change, changeLineOf(change));
    return exitCodes.good;
  },
};

/** A monitor of what a file asks, or of a sitemap; says what it will cost, of which nothing is charged yet. */
async function create({ sonde, options, io }, [file]) {
  const type = types[options.type ?? 'http'];
  if (!type) throw new UsageError(`--type takes http, index or rank`);
  if (!options.every) throw new UsageError('Say how often: --every hour, day, week or month');
  if (options.sitemap && file) throw new UsageError('Name a file or a --sitemap, not both');
  const { list, lines } = options.sitemap
    ? { list: { sitemap_url: options.sitemap }, lines: [] }
    : await listOf(type, file, options, io);
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
    throw inLines(error, lines);
  });
  write(io, options, monitor, monitor.monitor_id);
  io.stderr.line(priceOf(monitor));
  return exitCodes.good;
}

async function listOf(type, file, options, { stdin, stderr }) {
  const kind = type === 'keyword' ? 'keywords' : 'urls';
  const { entries, lines } = await readEntries(kind, { ...options, operands: [file] }, { stdin, stderr });
  return { list: type === 'keyword' ? { queries: entries } : { urls: entries }, lines };
}

async function shownAfter(act, { sonde, options, io }, operands) {
  for (const id of named(operands)) {
    const monitor = await sonde[act](id, { signal: io.signal });
    write(io, options, monitor, lineOf(monitor));
  }
  return exitCodes.good;
}

function named(ids) {
  if (ids.length === 0) throw new UsageError('Name a monitor by its id');
  return ids;
}

function write({ stdout }, { format }, body, ...lines) {
  for (const line of format === 'table' ? lines : [printableJson(body)]) stdout.line(line);
}

function lineOf({ monitor_id: id, type, schedule, status, subjects, next_run_at: next, name }) {
  const cells = [
    id,
    type.padEnd(7),
    schedule.every.padEnd(5),
    status.padEnd(9),
    String(subjects).padStart(5),
  ];
  return [...cells, next ? minute(next) : '-'.padEnd(16), name].join('  ');
}

function runLineOf({ run_id: id, created_at: at, status, reason, checked, failed, changes }) {
  const counts = `${checked} checked, ${failed} without an answer, ${changes} changed`;
  return [id, minute(at), status.padEnd(9), reason ?? counts].join('  ');
}

function changeLineOf({ at, kind, subject, before, after }) {
  const what = typeof subject === 'string' ? subject : `${subject.keyword} (${subject.target_url})`;
  const fields = Object.keys(after).map((name) => `${name} ${shown(before[name])} → ${shown(after[name])}`);
  return [minute(at), kind.padEnd(18), what, fields.join(', ')].join('  ').trimEnd();
}

function priceOf({ credits_per_run: run, credits_per_month: month, next_run_at: next, schedule }) {
  const when = next ? `; next ${minute(next)} UTC, at ${schedule.at} ${schedule.timezone}` : '';
  return `${run} ${run === 1 ? 'credit' : 'credits'} per run, ${month} in the next 30 days${when}`;
}

const minute = (at) => at.slice(0, 16).replace('T', ' ');
const shown = (value) =>
  typeof value === 'object' && value !== null ? printableJson(value) : `${value ?? '-'}`;
