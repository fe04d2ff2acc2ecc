import { readFileSync } from 'node:fs';
import { Sonde } from '../index.js';
import { readArguments } from './arguments.js';
import { commands } from './commands.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import { printable, printing } from './printable.js';
import { usage } from './usage.js';

/** Runs the command line and returns its exit code. `system` is the process, or an object like it. */
export async function main(argv, system) {
  const { env, stdin } = system;
  const [stdout, stderr] = [printing(system.stdout), printing(system.stderr)];
  const resumable = [];
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  system.once('SIGINT', interrupt);
  try {
    const options = readArguments(argv);
    return await run(options, { env, stdin, stdout, stderr }, { resumable, signal: interruption.signal });
  } catch (error) {
    if (interruption.signal.aborted) return interrupted(resumable, stderr);
    // The reader of our output has closed it.
    if (error.code === 'EPIPE') return exitCodes.good;
    const code = exitCodeOf(error) ?? exitCodes.internal;
    const [first, ...others] = linesOf(error, code);
    stderr.line(`sonde: ${first}`);
    for (const line of others) stderr.line(line);
    if (resumable.length > 0) stderr.write(comeBack(resumable));
    return code;
  } finally {
    system.off('SIGINT', interrupt);
  }
}

async function run(options, { env, stdin, stdout, stderr }, { resumable, signal }) {
  const command = commands[options.command];
  if (options.version) return print(stdout, `${versionOf()}\n`);
  if (options.help) return print(stdout, usage);
  if (!command) {
    stderr.write(
      options.command
        ? `sonde: ${printable(options.command)} is no command; sonde --help lists them\n`
        : usage,
    );
    return exitCodes.usage;
  }
  if (!env.SONDE_TOKEN && options.command !== 'sitemap') {
    stderr.line('sonde: SONDE_TOKEN is not set; tokens are made in the dashboard under Tokens');
    return exitCodes.authentication;
  }
  const sonde = new Sonde({ token: env.SONDE_TOKEN ?? 'none', baseUrl: options.url ?? env.SONDE_URL });
  return command({ sonde, options, io: { stdin, stdout, stderr, resumable, signal } });
}

/** An error in lines; a fault of this command with its stack. */
function linesOf({ lines, message, stack }, code) {
  return code === exitCodes.internal ? stack.split('\n') : (lines ?? [message]);
}

function print(stdout, text) {
  stdout.write(text);
  return exitCodes.good;
}

function interrupted(resumable, stderr) {
  stderr.write(resumable.length > 0 ? `\nStill running. ${comeBack(resumable)}` : '\n');
  return exitCodes.interrupted;
}

function comeBack(ids) {
  return `Come back with: sonde batch ${ids.join(' ')} --watch\n`;
}

function versionOf() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
