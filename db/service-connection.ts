import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { PassFailPoint } from '../fail-point.ts';
import { OperatorError, settingProblem } from '../operator-error.ts';
import { type Connection, connect, type Db, openPool, queriesBy } from './connect.ts';
import { dividedPool } from './divided-pool.ts';
import { renewing } from './renewing-pool.ts';
import { isDatabaseTrouble } from './trouble.ts';

/** What a web or a worker asks Postgres over. */
export interface ServiceConnection extends Pick<Connection, 'db' | 'encryption' | 'close'> {
  /**
   * The same as `db`; where that goes by a data node of a cluster, its coordinator alone. For chores, and
   * whatever may change the schema.
   */
  home: Db;
  /** Where `home` is asked. */
  homeUrl: string;
  /** What the server of `db` is to its cluster; null without one. */
  node: 'coordinator' | 'data node' | null;
}

interface Addresses {
  url: string;
  /** Past a pooler; on a cluster always the coordinator's. */
  directUrl: string;
  backend: string;
}

/** The address at which everything can be asked, for who asks little and no data node need answer. */
export function homeUrl({ url, directUrl, backend }: Addresses): string {
  return backend === 'citus' ? directUrl : url;
}

/**
 * Connects a process that is to live through every trouble of the database, over `max` connections. Where the URL is
 * that of a data node of a Citus cluster, what belongs to one account is asked there, and the rest at the coordinator,
 * by the direct URL: over as many connections to each. A data node that is away when the process starts is taken for
 * one. Throws OperatorError where both URLs are data nodes'.
 */
export async function connectService(
  { url, directUrl, backend }: Addresses,
  max: number,
  onError: (error: Error) => void,
  failPoint: PassFailPoint = () => {},
): Promise<ServiceConnection> {
  const isService = true;
  const node = backend === 'citus' ? await nodeAt(url, directUrl, onError) : null;
  if (node !== 'data node') {
    const { db, encryption, close } = connect(url, max, onError, { isService });
    return { db, home: db, homeUrl: url, node, encryption, close };
  }
  const coordinator = connect(directUrl, max, onError, { isService });
  const pool = openPool(url, max, onError, { isService, connectWithinMs });
  const onHalf = () => failPoint('between_commits');
  const divided = dividedPool(renewing(coordinator.pool), renewing(pool.pool), onError, onHalf);
  return {
    db: queriesBy(divided),
    home: coordinator.db,
    homeUrl: directUrl,
    node,
    encryption: pool.encryption,
    close: () => divided.end(),
  };
}

/** Whoever waits for the data node holds a connection to the coordinator, which could do it as well. */
const connectWithinMs = 2000;

const wrongNode = settingProblem(
  'DATABASE_DIRECT_URL',
  "has to name the cluster's coordinator where DATABASE_URL names a data node",
  'postgres://user:password@coordinator:5432/sonde',
);

async function nodeAt(
  url: string,
  directUrl: string,
  onError: (error: Error) => void,
): Promise<ServiceConnection['node']> {
  const isOne = url === directUrl;
  const group = await groupOf(url, isOne ? null : onError);
  if (group === coordinatorGroup) return 'coordinator';
  const directGroup = isOne ? group : await groupOf(directUrl, onError);
  if (directGroup !== null && directGroup !== coordinatorGroup) throw new OperatorError(wrongNode);
  return 'data node';
}

const coordinatorGroup = 0;

/** The group of a cluster that a server is; null while it is away, of which `onAway` hears; without one it throws. */
async function groupOf(url: string, onAway: ((error: Error) => void) | null): Promise<number | null> {
  const { db, close } = connect(url, 1, () => {}, { isService: true });
  try {
    const { rows } = await sql<{ group: number }>`select groupid as group from pg_dist_local_group`.execute(
      db,
    );
    const [row] = rows;
    assert(row, 'a server with Citus knows its group');
    return row.group;
  } catch (error) {
    if (!onAway || !isDatabaseTrouble(error)) throw error;
    onAway(error as Error);
    return null;
  } finally {
    await close();
  }
}
