import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readSamples } from '../../server/docs/pages.ts';

/** Commands that run a sample, by its file extension. */
export const commands: Record<string, string> = {
  sh: 'bash',
  mjs: process.execPath,
  py: 'python3',
  php: 'php',
};

/** Returns true when a command is installed. */
export async function runs(command: string): Promise<boolean> {
  const child = spawn(command, ['--version'], { stdio: 'ignore' });
  return once(child, 'exit').then(
    ([code]) => code === 0,
    () => false,
  );
}

/** Writes samples of the guide to a new folder within another. */
export async function laidOut(folder: string, baseUrl: string, ...files: string[]): Promise<string> {
  const own = await mkdtemp(join(folder, 'one-'));
  for (const { file, code } of readSamples(baseUrl, files)) await writeFile(join(own, file), `${code}\n`);
  return own;
}

/** Starts a sample in its folder. */
export function start(cwd: string, file: string, env: object): ChildProcess {
  const command = commands[file.split('.')[1] ?? ''] ?? '';
  const args = command === 'php' ? ['-S', `127.0.0.1:${(env as { PORT: string }).PORT}`, file] : [file];
  return spawn(command, args, { cwd, env: { PATH: process.env.PATH, ...env } });
}

/** Runs a sample. Returns its output and exit code. */
export async function printed(cwd: string, file: string, env: object) {
  const child = start(cwd, file, env);
  const [out, problems, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ]);
  return { out, problems, code };
}
