import { type KyselyPlugin, QueryNode, SelectQueryNode } from 'kysely';
import type { Db } from '../db/connect.ts';

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** What Postgres would do for a verb of `db`, innermost last, such as `Index Scan history_newest_first`. */
export async function planOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> {
  const steps: string[] = [];
  const explain: KyselyPlugin = {
    transformQuery: ({ node }) =>
      SelectQueryNode.is(node) ? QueryNode.cloneWithExplain(node, 'json', undefined) : node,
    transformResult: async ({ result }) => {
      const [row] = result.rows;
      const [plans] = Object.values(row ?? {}) as Array<Array<{ Plan: PlanNode }>>;
      for (const { Plan } of plans ?? []) steps.push(...stepsOf(Plan));
      return result;
    },
  };
  await run(db.withPlugin(explain));
  return steps;
}

function stepsOf(node: PlanNode): string[] {
  const name = [node['Node Type'], node['Index Name']].filter(Boolean).join(' ');
  return [name, ...(node.Plans ?? []).flatMap(stepsOf)];
}
