import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { environmentOf } from './processes.ts';

const command = fileURLToPath(new URL('../../client/bin/sonde.js', import.meta.url));
const mainModule = new URL('../../client/cli/main.js', import.meta.url).href;

interface Customer {
  baseUrl: string;
  token?: string;
}

/** Starts the command `sonde` for a service. */
export function startCommand(
  args: string[],
  { baseUrl, token, cwd }: Customer & { cwd?: string },
): ChildProcessWithoutNullStreams {
  const env = environmentOf({ SONDE_URL: baseUrl, SONDE_TOKEN: token });
  return spawn(process.execPath, [command, ...args], { cwd, env });
}

/** Sends standard input to a command. Returns its output and exit code. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams, input = '') {
  child.stdin.end(input);
  const [out, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { out, problems, code };
}

/** Runs the command `sonde` in this process, which takes a tenth of the time. Returns its output and exit code. */
export async function runCommand(
  args: string[],
  { baseUrl, token }: Customer,
  input = '',
  { isTTY = false, columns = 80 } = {},
) {
  const { main } = await import(mainModule);
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY, columns })];
  const env = { SONDE_URL: baseUrl, SONDE_TOKEN: token };
  const printed = Promise.all([text(stdout), text(stderr)]);
  const stdin = Readable.from([Buffer.from(input)]);
  const code: number = await main(args, Object.assign(new EventEmitter(), { env, stdin, stdout, stderr }));
  stdout.end();
  stderr.end();
  const [out, problems] = await printed;
  return { out, problems, code };
}
