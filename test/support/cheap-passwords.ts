import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** What was asked of scrypt in this process, as often as it was. */
export const askedOfScrypt: ScryptOptions[] = [];

const cheap = { N: 2 ** 4, r: 1, p: 1 };
let isFull = false;

/**
 * From now on scrypt takes no time in this process, where passwords are made to cost a third of a second and 64 MiB
 * each and the tests make hundreds. Every password is still derived, with its own salt, and stored with the cost that
 * was asked for. Must stand before whatever binds it is loaded; processes that tests start pay in full
 * (`atFullCost` compares with what they stored).
 */
export function cheapenPasswords(): void {
  const derive = crypto.scrypt;
  type Callback = (error: Error | null, key: Buffer) => void;
  const scrypt = (password: string, salt: Buffer, length: number, options: ScryptOptions, done: Callback) => {
    askedOfScrypt.push(options);
    derive(password, salt, length, isFull ? options : cheap, done);
  };
  Object.assign(crypto, { scrypt });
  syncBuiltinESMExports();
}

/** Derives as the processes do that tests start. */
export async function atFullCost<T>(act: () => Promise<T>): Promise<T> {
  isFull = true;
  try {
    return await act();
  } finally {
    isFull = false;
  }
}
