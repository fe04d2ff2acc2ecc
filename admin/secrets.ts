import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import { OperatorError } from '../process/operator-error.ts';

const secretLengthMax = 1000;

/** Option value that takes the secret from a prompt or standard input, so that the process list does not show it. */
export const stdinMarker = '-';

/** Standard input for a secret, and the terminal to prompt on. */
export interface SecretPrompt {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  say(text: string): void;
}

/**
 * Reads a secret. If `given` is missing or `-`, prompts for the secret at a terminal. Without a terminal, reads the
 * first line of standard input. Any other `given` is the secret itself. A warning is then printed, because the process
 * list shows the secret. Returns the result of `parse`. If `parse` throws InvalidArgumentError, throws OperatorError
 * with the name of the secret.
 */
export async function readSecret<T>(
  name: string,
  given: string | undefined,
  parse: (text: string) => T,
  { input, say: write }: SecretPrompt,
): Promise<T> {
  if (given !== undefined && given !== stdinMarker) {
    write(
      `The process list of this machine shows this ${name}. Give "-" instead, and enter it at the prompt.\n`,
    );
    return parseSecret(name, given, parse);
  }
  return parseSecret(
    name,
    input.isTTY ? await prompt(name, { input, say: write }) : await readLine(input),
    parse,
  );
}

function parseSecret<T>(name: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const hint =
      text === '' ? ` Pipe it to standard input, or run the command at a terminal to be prompted.` : '';
    throw new OperatorError(`The ${name} ${error.message}${hint}`);
  }
}

async function prompt(name: string, { input, say: write }: SecretPrompt): Promise<string> {
  const silent = new Writable({ write: (_text, _encoding, done) => done() });
  // With `terminal: true`, the terminal does not echo the typed text. readline does, to the silent stream.
  const lines = createInterface({ input, output: silent, terminal: true });
  write(`${name}: `);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    write('\n');
  }
}

async function readLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const part of input) {
    text += part;
    if (text.includes('\n') || text.length > secretLengthMax) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
