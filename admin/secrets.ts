import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import { OperatorError } from '../process/operator-error.ts';

const secretLengthMax = 1000;

/** `-`, for a secret that is not to stand in the list of processes. */
export const fromStandardInput = '-';

/** Where a secret may come from besides the command line, and where it is asked for. */
export interface SecretSource {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  say(text: string): void;
}

/**
 * A secret: asked for without an echo at a terminal, or else the first line of standard input; that also for `-`.
 * One that was given with the command is taken with a warning, for the list of processes shows it. Answers what `read`
 * makes of it. Errors: `OperatorError`, which names it, where that throws commander's.
 */
export async function secretOf<T>(
  name: string,
  given: string | undefined,
  read: (text: string) => T,
  { input, say }: SecretSource,
): Promise<T> {
  if (given !== undefined && given !== fromStandardInput) {
    say(`Whoever sees the list of processes sees this ${name}: give - instead, and it is asked for.\n`);
    return readAs(name, given, read);
  }
  return readAs(name, input.isTTY ? await ask(name, { input, say }) : await firstLine(input), read);
}

function readAs<T>(name: string, text: string, read: (text: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const hint =
      text === '' ? ` Write it to standard input, or give it at a terminal, where it is asked for.` : '';
    throw new OperatorError(`The ${name} ${error.message}${hint}`);
  }
}

async function ask(name: string, { input, say }: SecretSource): Promise<string> {
  const silent = new Writable({ write: (_text, _encoding, done) => done() });
  // As a terminal, so that it takes over what the terminal would echo.
  const lines = createInterface({ input, output: silent, terminal: true });
  say(`${name}: `);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    say('\n');
  }
}

async function firstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const part of input) {
    text += part;
    if (text.includes('\n') || text.length > secretLengthMax) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
