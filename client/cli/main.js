import { readFileSync } from 'node:fs';
import { Sonde } from '../index.js';
import { readArguments } from './arguments.js';
import { commands } from './commands.js';
import { exitCodes, toExitCode, UsageError } from './exit-codes.js';
import { createPrinter, printable } from './printable.js';
import { usage } from './usage.js';

/** Runs the command line and returns the exit code. `system` is the process or a similar object. */
export async function main(argv, system) {
  const { env, stdin } = system;
  const [stdout, stderr] = [createPrinter(system.stdout), createPrinter(system.stderr)];
  const resumable = [];
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  system.once('SIGINT', interrupt);
  try {
    const options = readArguments(argv);
    return await run(options, { env, stdin, stdout, stderr }, { resumable, signal: interruption.signal });
  } catch (error) {
    if (interruption.signal.aborted) return interrupted(resumable, stderr);
    // The reader of the output closed the pipe.
    if (error.code === 'EPIPE') return exitCodes.good;
    const code = toExitCode(error) ?? exitCodes.internal;
    const [first, ...others] = toLines(error, code);
    stderr.line(`sonde: ${first}`);
    for (const line of others) stderr.line(line);
    if (resumable.length > 0) stderr.write(resumeHint(resumable));
    return code;
  } finally {
    system.off('SIGINT', interrupt);
  }
}

async function run(options, { env, stdin, stdout, stderr }, { resumable, signal }) {
  const command = commands[options.command];
  if (options.version) return print(stdout, `${readVersion()}\n`);
  if (options.help) return print(stdout, usage);
  if (!command) {
    stderr.write(
      options.command
        ? `sonde: Unknown command ${printable(options.command)}. sonde --help lists the commands.\n`
        : usage,
    );
    return exitCodes.usage;
  }
  if (options['dry-run'] && !['http', 'index', 'rank', 'watch'].includes(options.command))
    throw new UsageError('--dry-run works with http, index, rank and watch.');
  if (!env.SONDE_TOKEN && options.command !== 'sitemap' && !options['dry-run']) {
    stderr.line('sonde: SONDE_TOKEN is not set. Create a token in the dashboard under Tokens.');
    return exitCodes.authentication;
  }
  const sonde = new Sonde({ token: env.SONDE_TOKEN ?? 'none', baseUrl: options.url ?? env.SONDE_URL });
  return command({ sonde, options, io: { stdin, stdout, stderr, resumable, signal } });
}

/** Returns the lines of an error. For a bug, returns the stack. */
function toLines({ lines, message, stack }, code) {
  return code === exitCodes.internal ? stack.split('\n') : (lines ?? [message]);
}

function print(stdout, text) {
  stdout.write(text);
  return exitCodes.good;
}

function interrupted(resumable, stderr) {
  stderr.write(resumable.length > 0 ? `\nStill running. ${resumeHint(resumable)}` : '\n');
  return exitCodes.interrupted;
}

function resumeHint(ids) {
  return `See the results with: sonde batch ${ids.join(' ')} --watch\n`;
}

function readVersion() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
