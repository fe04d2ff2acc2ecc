import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** What a run writes at most at one time, with room to spare. */
const neededBytes = 4 * 1024 ** 3;
/** `statfs(2)` of a file system in memory. */
const tmpfs = 0x01021994;

/**
 * A new folder for a database that is thrown away, in memory where there is plenty: a run makes and drops some
 * hundred databases of a thousand files each, and ext4 takes a quarter of all time to find names for them.
 */
export async function scratchFolder(prefix: string): Promise<string> {
  return mkdtemp(join((await hasRoom(memory)) ? memory : tmpdir(), prefix));
}

async function hasRoom(folder: string): Promise<boolean> {
  return statfs(folder).then(
    ({ type, bavail, bsize }) => type === tmpfs && bavail * bsize >= neededBytes,
    () => false,
  );
}
