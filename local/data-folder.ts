import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../config/config.ts';

/** Folder of `npm start`. It contains the embedded Postgres, the secret key and the first account's token. */
export const dataFolder = fileURLToPath(new URL('../.data', import.meta.url));

/** Returns null if no value with this name is stored. */
export async function readStored(name: string): Promise<string | null> {
  const text = await readFile(`${dataFolder}/${name}`, 'utf8').catch(() => '');
  return text.trim() || null;
}

export async function writeStored(name: string, value: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writeFile(`${dataFolder}/${name}`, `${value}\n`, { mode: 0o600 });
}

export async function readOrCreate(name: string, create: () => string): Promise<string> {
  const stored = await readStored(name);
  if (stored) return stored;
  const value = create();
  await writeStored(name, value);
  return value;
}

/** If DATABASE_URL is not set, adds the database and the secret key of `npm start`. */
export async function withLocalDefaults(env: Environment): Promise<Environment> {
  const url = env.DATABASE_URL ? null : await readStored('database-url');
  if (!url) return env;
  const secretKey = env.SECRET_KEY || (await readStored('secret-key')) || undefined;
  return { ...env, DATABASE_URL: url, SECRET_KEY: secretKey };
}
