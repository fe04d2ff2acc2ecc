import { type KyselyPlugin, QueryNode, RawNode, type RootOperationNode, SelectQueryNode } from 'kysely';
import type { Db } from '../../db/postgres/connect.ts';

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

/** Returns the plan of the queries in `run`, innermost last: `Index Scan history_newest_first`, `Seq Scan history`. */
export async function planOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> {
  const steps: string[] = [];
  const explain: KyselyPlugin = {
    transformQuery: ({ node }) => explained(node),
    transformResult: async ({ result }) => {
      const [row] = result.rows;
      const [plans] = Object.values(row ?? {}) as Array<Array<{ Plan: PlanNode }>>;
      for (const { Plan } of plans ?? []) steps.push(...listSteps(Plan));
      return result;
    },
  };
  await run(db.withPlugin(explain));
  return steps;
}

function explained(node: RootOperationNode): RootOperationNode {
  if (SelectQueryNode.is(node)) return QueryNode.cloneWithExplain(node, 'json', undefined);
  if (!RawNode.is(node)) return node;
  const [first = '', ...rest] = node.sqlFragments;
  return RawNode.create([`explain (format json) ${first}`, ...rest], node.parameters);
}

function listSteps(node: PlanNode): string[] {
  const name = [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');
  return [name, ...(node.Plans ?? []).flatMap(listSteps)];
}
