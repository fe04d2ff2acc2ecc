import { distributedTables, localTables } from '../../db/postgres/distribution.ts';
import { asAdmin } from '../citus/cluster.ts';
import {
  callsOf,
  expressionsOf,
  namesIn,
  queriesOf,
  subqueriesOf,
  tablesOf,
  type Write,
  writesOf,
} from './statement-text.ts';

const byAccount = new Set<string>(distributedTables);
const local = new Set<string>(localTables);
let immutable: Set<string> | null = null;

/** Asks a server's catalogue which of Postgres's functions are the same whenever and wherever they are called. */
export async function learnFunctions(adminUrl: string): Promise<void> {
  if (immutable) return;
  const rows = await asAdmin(adminUrl, [
    `select proname as name from pg_proc where pronamespace = 'pg_catalog'::regnamespace
      group by proname having bool_and(provolatile = 'i')`,
  ]);
  // Of time zones and of moments it is not; ours are of intervals and of dates.
  immutable = new Set([...rows.map(({ name }) => String(name)), 'extract']);
}

/**
 * What of a statement would fail on a cluster, or go to all of its machines; empty when all is well. `isTest`: a test
 * says it, which may ask all machines.
 */
export function faultsOf(statement: string, { isTest = false } = {}): string[] {
  const text = statement.replaceAll('"', '').replace(/--.*$/gm, '').replace(/\s+/g, ' ').toLowerCase();
  if (/^ ?(create|alter|drop) /.test(text)) return [];
  return queriesOf(text).flatMap((query) =>
    rules
      .filter(({ isRefused, isBroken }) => (isRefused || !isTest) && isBroken(query))
      .map(({ what }) => what),
  );
}

const namesAccount = /\baccount_id = (\$\d+|any ?\(\$\d+)/;

interface Rule {
  what: string;
  /** The cluster answers an error then, in any case. */
  isRefused: boolean;
  isBroken(query: string): boolean;
}

const rules: Rule[] = [
  {
    what: 'joins a local table with one that is spread by account',
    isRefused: false,
    isBroken: (query) => {
      const tables = tablesOf(query);
      return tables.some((table) => byAccount.has(table)) && tables.some(isLocal);
    },
  },
  {
    what: 'locks rows of no certain account',
    isRefused: true,
    isBroken: (query) => isLocking(query) && isSpread(query) && !namesAccount.test(query),
  },
  {
    // That it is the account of the rows outside is not seen.
    what: 'locks rows beside a subquery of no certain account',
    isRefused: false,
    isBroken: (query) =>
      isLocking(query) && subqueriesOf(query).some((one) => isSpread(one) && !namesAccount.test(one)),
  },
  {
    what: 'changes rows of no certain account',
    isRefused: false,
    isBroken: (query) => {
      const changed = /^\s*(?:update|delete from) ([a-z_]+)/.exec(query)?.[1];
      return changed !== undefined && byAccount.has(changed) && !namesAccount.test(query);
    },
  },
  {
    what: 'sets the account of rows, even to the same',
    isRefused: true,
    isBroken: (query) =>
      writesTo(query).some(
        ({ verb, text }) => verb === 'update' && /\baccount_id = /.test(expressionsOf(text)[0] ?? ''),
      ),
  },
  {
    what: 'calls a function in a DO UPDATE that is not the same on every machine',
    isRefused: true,
    isBroken: (query) => {
      const update = /\bdo update set (.*)$/.exec(query)?.[1] ?? '';
      return isSpread(query) && isMutable(update.split(' returning ')[0] ?? '');
    },
  },
  {
    what: 'calls a function in a RETURNING that is not the same on every machine',
    isRefused: true,
    // An insert of what a select finds is handed to the machine whole.
    isBroken: (query) =>
      writesTo(query).some(({ text, isOfSelect }) => {
        const [, returning = ''] = text.split(' returning ');
        return !isOfSelect && isMutable(returning);
      }),
  },
  {
    what: 'calls a function of a column in an update that is not the same on every machine',
    isRefused: true,
    isBroken: (query) =>
      writesTo(query).some(
        ({ verb, text }) =>
          verb !== 'insert into' &&
          expressionsOf(text).some(
            (part) =>
              movesColumn.test(part) ||
              callsOf(part).some(({ name, given }) => !isKnown(name) && namesIn(given).length > 0),
          ),
      ),
  },
  {
    what: 'calls now() within an expression of an update',
    isRefused: true,
    isBroken: (query) => {
      const set = /^\s*update ([a-z_]+) (?:as [a-z_]+ )?set (.*?)( where |$)/.exec(query);
      return byAccount.has(set?.[1] ?? '') && /\b(coalesce|case)\b.*\bnow\(\)/.test(set?.[2] ?? '');
    },
  },
];

/** A moment and an interval make another by the time zone, which a machine may have its own of. */
const movesMoment = /[+-] \(?(?:[^ ,()]+ \* )?\(?interval\b/;
const movesColumn = /(?<!\$)\b[a-z_]+ [+-] \(?(?:[^ ,()]+ \* )?\(?interval\b/;

/** Whether an expression may come to something else on another machine. Casts and most operators are not seen. */
function isMutable(expression: string): boolean {
  return movesMoment.test(expression) || callsOf(expression).some(({ name }) => !isKnown(name));
}

function isKnown(name: string): boolean {
  if (!immutable) throw new Error('Rules of functions need learnFunctions first');
  return immutable.has(name);
}

function writesTo(query: string): Write[] {
  return writesOf(query).filter(({ table }) => byAccount.has(table));
}

function isLocking(query: string): boolean {
  return / for (no key )?(update|share)\b/.test(query);
}

function isSpread(query: string): boolean {
  return tablesOf(query).some((table) => byAccount.has(table));
}

function isLocal(table: string): boolean {
  return local.has(table) || table.startsWith('pgboss.');
}
