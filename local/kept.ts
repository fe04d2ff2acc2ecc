import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../config/config.ts';

/** Where `npm start` keeps what is its own: the embedded Postgres, keys, the first account's token. */
export const dataFolder = fileURLToPath(new URL('../.data', import.meta.url));

/** Null when nothing was kept under this name. */
export async function readKept(name: string): Promise<string | null> {
  const text = await readFile(`${dataFolder}/${name}`, 'utf8').catch(() => '');
  return text.trim() || null;
}

export async function writeKept(name: string, value: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writeFile(`${dataFolder}/${name}`, `${value}\n`, { mode: 0o600 });
}

/** What is kept under a name, made on first use. */
export async function kept(name: string, make: () => string): Promise<string> {
  const known = await readKept(name);
  if (known) return known;
  const made = make();
  await writeKept(name, made);
  return made;
}

/** For a tool beside `npm start`: the database and the key of that, where none are set. */
export async function withLocalDefaults(env: Environment): Promise<Environment> {
  const url = env.DATABASE_URL ? null : await readKept('database-url');
  if (!url) return env;
  const secretKey = env.SECRET_KEY || (await readKept('secret-key')) || undefined;
  return { ...env, DATABASE_URL: url, SECRET_KEY: secretKey };
}
