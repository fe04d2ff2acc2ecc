import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Wanted {
  /** The pg_config of the Postgres to use. */
  pgConfig: string;
  /** The source of Citus, for a Postgres without it. */
  source?: string;
  /** Folder that keeps the build for the next time. */
  folder: string;
  print: (line: string) => void;
}

/**
 * Returns the folder with the binaries of a Postgres that has Citus. This is the installed Postgres, or a copy with a
 * Citus that was built from source. Installs nothing into the system. Throws if both are missing.
 */
export async function findOrBuild(wanted: Wanted): Promise<string> {
  const [bin, libraries, shared] = await Promise.all(
    ['--bindir', '--pkglibdir', '--sharedir'].map((what) => ask(wanted.pgConfig, what)),
  );
  if (!bin || !libraries || !shared) throw new Error(`${wanted.pgConfig} does not say where Postgres is`);
  if (existsSync(join(libraries, 'citus.so'))) return bin;
  // Postgres finds its files by relative paths, so a copy that keeps those works.
  const copy = join(wanted.folder, 'postgres');
  if (existsSync(join(copy, libraries, 'citus.so'))) return join(copy, bin);
  if (!wanted.source)
    throw new Error('This Postgres has no Citus. Give the folder of its source with --source.');
  for (const part of [bin, libraries, shared])
    await cp(part, join(copy, part), { recursive: true, dereference: true });
  await build(wanted, copy);
  return join(copy, bin);
}

async function build({ pgConfig, source = '', folder, print }: Wanted, copy: string): Promise<void> {
  const work = join(folder, 'source');
  await mkdir(folder, { recursive: true });
  await cp(source, work, { recursive: true });
  // If `configure` looked outdated, make would need autoconf.
  await utimes(join(work, 'configure'), new Date(), new Date());
  await mendHeader(pgConfig, work);
  const log = join(folder, 'build.log');
  print(`Building Citus, which takes some minutes. The compiler writes to ${log}`);
  const logged = (command: string, args: string[]) => runLogged(command, args, work, log);
  await logged('./configure', ['--without-libcurl', `PG_CONFIG=${pgConfig}`]);
  await logged('nice', ['make', '-j2', 'with_llvm=no']);
  await logged('make', ['install', 'with_llvm=no', `DESTDIR=${copy}`]);
}

const twice = /static inline bool\nhave_createdb_privilege\(void\)\n\{[\s\S]*?\n\}\n/;

/** Minor versions of Postgres 15 since 2025 export a function that Citus 13.2 also defines. */
async function mendHeader(pgConfig: string, work: string): Promise<void> {
  const server = await ask(pgConfig, '--includedir-server');
  const exported = await readFile(join(server, 'commands/dbcommands.h'), 'utf8');
  if (!exported.includes('have_createdb_privilege')) return;
  const header = join(work, 'src/include/pg_version_compat.h');
  const text = await readFile(header, 'utf8');
  await writeFile(header, text.replace(twice, '#include "commands/dbcommands.h"\n'));
}

async function ask(pgConfig: string, what: string): Promise<string> {
  return (await run(pgConfig, [what])).stdout.trim();
}

async function runLogged(command: string, args: string[], cwd: string, file: string): Promise<void> {
  const log = createWriteStream(file, { flags: 'a' });
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const [code] = await once(child, 'exit');
  log.end();
  if (code !== 0) throw new Error(`${command} ended with ${code}; see ${file}`);
}
