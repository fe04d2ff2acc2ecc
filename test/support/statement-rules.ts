import { tablesAt } from '../../db/distribution.ts';

const byAccount = new Set(tablesAt('by account'));
const local = new Set(tablesAt('local'));

/** What of a statement would fail on a cluster, or go to all of its machines; empty when all is well. */
export function faultsOf(statement: string): string[] {
  const text = statement.replaceAll('"', '').replace(/--.*$/gm, '').replace(/\s+/g, ' ').toLowerCase();
  if (/^ ?(create|alter|drop) /.test(text)) return [];
  return queriesOf(text).flatMap((query) =>
    rules.filter(({ isBroken }) => isBroken(query)).map(({ what }) => what),
  );
}

const namesAccount = /\baccount_id = (\$\d+|any ?\(\$\d+)/;

const rules: Array<{ what: string; isBroken(query: string): boolean }> = [
  {
    what: 'joins a local table with one that is spread by account',
    isBroken: (query) => {
      const tables = tablesOf(query);
      return tables.some((table) => byAccount.has(table)) && tables.some(isLocal);
    },
  },
  {
    what: 'locks rows of no certain account',
    isBroken: (query) => isLocking(query) && isSpread(query) && !namesAccount.test(query),
  },
  {
    // That it is the account of the rows outside is not seen.
    what: 'locks rows beside a subquery of no certain account',
    isBroken: (query) =>
      isLocking(query) && subqueriesOf(query).some((one) => isSpread(one) && !namesAccount.test(one)),
  },
  {
    what: 'changes rows of no certain account',
    isBroken: (query) => {
      const changed = /^\s*(?:update|delete from) ([a-z_]+)/.exec(query)?.[1];
      return changed !== undefined && byAccount.has(changed) && !namesAccount.test(query);
    },
  },
  {
    what: 'calls a function in a DO UPDATE that is not the same on every machine',
    isBroken: (query) => {
      const update = /\bdo update set (.*)$/.exec(query)?.[1] ?? '';
      return isSpread(query) && functionsOf(update).some((name) => !immutable.has(name));
    },
  },
  {
    what: 'calls now() within an expression of an update',
    isBroken: (query) => {
      const set = /^\s*update ([a-z_]+) (?:as [a-z_]+ )?set (.*?)( where |$)/.exec(query);
      return byAccount.has(set?.[1] ?? '') && /\b(coalesce|case)\b.*\bnow\(\)/.test(set?.[2] ?? '');
    },
  },
];

const immutable = new Set(['greatest', 'least', 'coalesce', 'extract', 'nullif', 'any', 'in']);

/** Functions called in the part of a statement that a DO UPDATE is, up to what it returns. */
function functionsOf(text: string): string[] {
  const until = text.split(' returning ')[0] ?? '';
  return [...until.matchAll(/([a-z_]+) ?\(/g)]
    .map(([, name = '']) => name)
    .filter((name) => !words.has(name));
}

const words = new Set(['and', 'or', 'where', 'set', 'not', 'select', 'by']);

function isLocking(query: string): boolean {
  return / for (no key )?(update|share)\b/.test(query);
}

/** Those in brackets, with brackets in them at most once. */
function subqueriesOf(query: string): string[] {
  return [...query.matchAll(/\( ?select (?:[^()]|\([^()]*\))*\)/g)].map(([one]) => one);
}

function isSpread(query: string): boolean {
  return tablesOf(query).some((table) => byAccount.has(table));
}

function isLocal(table: string): boolean {
  return local.has(table) || table.startsWith('pgboss.');
}

/** The tables that a query reads or writes, those of other schemas with the schema's name. */
function tablesOf(query: string): string[] {
  return [...query.matchAll(/\b(?:from|join|into|update|using) (?:only )?([a-z_]+(?:\.[a-z_]+)?)/g)].map(
    ([, table = '']) => table,
  );
}

/** The statement without its materialised parts, and those: each is done by itself before the rest. */
function queriesOf(statement: string): string[] {
  const begins = / as materialized \(/.exec(statement);
  if (!begins) return [statement];
  const from = begins.index + begins[0].length;
  let depth = 1;
  let to = from;
  for (; to < statement.length && depth > 0; to++) {
    if (statement[to] === '(') depth += 1;
    if (statement[to] === ')') depth -= 1;
  }
  const rest = `${statement.slice(0, begins.index)} as ()${statement.slice(to)}`;
  return [...queriesOf(statement.slice(from, to - 1)), ...queriesOf(rest)];
}
