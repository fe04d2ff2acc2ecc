import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { environmentOf } from './processes.ts';

const command = fileURLToPath(new URL('../../client/bin/sonde.js', import.meta.url));

/** Begins the command `sonde` for a service, in a folder. */
export function startCommand(
  args: string[],
  { baseUrl, token, cwd }: { baseUrl: string; token?: string; cwd?: string },
): ChildProcessWithoutNullStreams {
  const env = environmentOf({ SONDE_URL: baseUrl, SONDE_TOKEN: token });
  return spawn(process.execPath, [command, ...args], { cwd, env });
}

/** What a command prints, given standard input, and the code it ends with. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams, input = '') {
  child.stdin.end(input);
  const [out, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { out, problems, code };
}
