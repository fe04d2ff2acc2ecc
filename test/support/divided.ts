import { type Db, openPool, queriesBy } from '../../db/connect.ts';
import { dividedPool } from '../../db/divided-pool.ts';
import { renewing } from '../../db/renewing-pool.ts';

/** Queries over two databases, as over a coordinator and a data node of its cluster; two connections to each. */
export function divided(
  homeUrl: string,
  nodeUrl: string,
  tell: (error: Error) => void,
  onHalf?: () => void,
): Db {
  const pool = (url: string) => renewing(openPool(url, 2, () => {}).pool);
  return queriesBy(dividedPool(pool(homeUrl), pool(nodeUrl), tell, onHalf));
}
