import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** The options of all scrypt calls in this process. */
export const scryptCalls: ScryptOptions[] = [];

const cheap = { N: 2 ** 4, r: 1, p: 1 };
let isFull = false;

/**
 * Makes scrypt cheap in this process: each password costs 0.3 s and 64 MiB, and the tests make hundreds. Each password
 * still has its own salt and is stored with the requested cost. Call this before a module that imports scrypt is
 * loaded. Processes that tests start keep the full cost (`atFullCost` compares with their hashes).
 */
export function cheapenPasswords(): void {
  const derive = crypto.scrypt;
  type Callback = (error: Error | null, key: Buffer) => void;
  const scrypt = (password: string, salt: Buffer, length: number, options: ScryptOptions, done: Callback) => {
    scryptCalls.push(options);
    derive(password, salt, length, isFull ? options : cheap, done);
  };
  Object.assign(crypto, { scrypt });
  syncBuiltinESMExports();
}

/** Runs `act` with the full cost. */
export async function atFullCost<T>(act: () => Promise<T>): Promise<T> {
  isFull = true;
  try {
    return await act();
  } finally {
    isFull = false;
  }
}
