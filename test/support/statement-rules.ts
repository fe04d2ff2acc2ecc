import { distributedTables } from '../../db/postgres/distribution.ts';
import { asAdmin } from '../citus/cluster.ts';

/** Tables on the coordinator. Their rows are found before the account is known, or are counted over all accounts. */
export const localTables = [
  'api_tokens',
  'token_spending',
  'report_links',
  'users',
  'memberships',
  'invitations',
  'activity',
  'sessions',
  'sign_in_links',
  'sign_in_tries',
  'mails',
  'mail_links',
  'dead_addresses',
  'mail_opt_outs',
  'sign_up_credits',
  'totp_factors',
  'passkeys',
  'recovery_codes',
  'sign_in_steps',
  'passkey_challenges',
  'rate_limits',
  'chores',
  'provider_leases',
  'provider_usage',
  'key_canary',
] as const;

const byAccount = new Set<string>(distributedTables);
const local = new Set<string>(localTables);
let immutable: Set<string> | null = null;

/** Reads from a server's catalogue which functions of Postgres are immutable. */
export async function learnFunctions(adminUrl: string): Promise<void> {
  if (immutable) return;
  const rows = await asAdmin(adminUrl, [
    `select proname as name from pg_proc where pronamespace = 'pg_catalog'::regnamespace
      group by proname having bool_and(provolatile = 'i')`,
  ]);
  // `extract` depends on the time zone for timestamps. We use it on intervals and dates.
  immutable = new Set([...rows.map(({ name }) => String(name)), 'extract']);
}

/** Lists reasons why a statement would fail on a cluster, or go to all nodes. `isTest`: it may go to all nodes. */
export function faultsOf(statement: string, { isTest = false } = {}): string[] {
  const text = statement.replaceAll('"', '').replace(/--.*$/gm, '').replace(/\s+/g, ' ').toLowerCase();
  if (/^ ?(create|alter|drop) /.test(text)) return [];
  return parseQueries(text).flatMap((query) =>
    rules
      .filter(({ isRefused, isBroken }) => (isRefused || !isTest) && isBroken(query))
      .map(({ what }) => what),
  );
}

const namesAccount = /\baccount_id = (\$\d+|any ?\(\$\d+)/;

interface Rule {
  what: string;
  /** True if the cluster rejects every such statement. */
  isRefused: boolean;
  isBroken(query: string): boolean;
}

const rules: Rule[] = [
  {
    what: 'searches with LIKE, whose time is the product of both lengths (toSearchPatterns)',
    isRefused: false,
    isBroken: (query) => /\bi?like \$\d/.test(query),
  },
  {
    what: 'joins a local table with a distributed one',
    isRefused: false,
    isBroken: (query) => {
      const tables = parseTables(query);
      return tables.some((table) => byAccount.has(table)) && tables.some(isLocal);
    },
  },
  {
    what: 'locks rows without a fixed account',
    isRefused: true,
    isBroken: (query) => isLocking(query) && isSpread(query) && !namesAccount.test(query),
  },
  {
    // The account of the outer rows is not detected.
    what: 'locks rows beside a subquery without a fixed account',
    isRefused: false,
    isBroken: (query) =>
      isLocking(query) && parseSubqueries(query).some((one) => isSpread(one) && !namesAccount.test(one)),
  },
  {
    what: 'changes rows without a fixed account',
    isRefused: false,
    isBroken: (query) => {
      const changed = /^\s*(?:update|delete from) ([a-z_]+)/.exec(query)?.[1];
      return changed !== undefined && byAccount.has(changed) && !namesAccount.test(query);
    },
  },
  {
    // Citus sends `case status when 'active'` to the data nodes as `case status when status = 'active'`.
    what: 'updates distributed rows with a simple CASE',
    isRefused: true,
    isBroken: (query) => isSpread(query) && /^\s*update\b.*\bcase [a-z_.]+ when\b/.test(query),
  },
  {
    what: 'sets the account of rows, even to the same value',
    isRefused: true,
    isBroken: (query) =>
      writesTo(query).some(
        ({ verb, text }) => verb === 'update' && /\baccount_id = /.test(parseExpressions(text)[0] ?? ''),
      ),
  },
  {
    what: 'calls a mutable function in a DO UPDATE',
    isRefused: true,
    isBroken: (query) => {
      const update = /\bdo update set (.*)$/.exec(query)?.[1] ?? '';
      return isSpread(query) && isMutable(update.split(' returning ')[0] ?? '');
    },
  },
  {
    what: 'calls a mutable function in a RETURNING',
    isRefused: true,
    // An INSERT … SELECT goes to the node as a whole.
    isBroken: (query) =>
      writesTo(query).some(({ text, isOfSelect }) => {
        const [, returning = ''] = text.split(' returning ');
        return !isOfSelect && isMutable(returning);
      }),
  },
  {
    what: 'calls a mutable function of a column in an update',
    isRefused: true,
    isBroken: (query) =>
      writesTo(query).some(
        ({ verb, text }) =>
          verb !== 'insert into' &&
          parseExpressions(text).some(
            (part) =>
              movesColumn.test(part) ||
              parseCalls(part).some(({ name, given }) => !isKnown(name) && namesIn(given).length > 0),
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

/** A timestamp plus an interval depends on the time zone, which may differ between nodes. */
const movesMoment = /[+-] \(?(?:[^ ,()]+ \* )?\(?interval\b/;
const movesColumn = /(?<!\$)\b[a-z_]+ [+-] \(?(?:[^ ,()]+ \* )?\(?interval\b/;

/** Returns true when an expression may have another value on another node. Casts and most operators are not checked. */
function isMutable(expression: string): boolean {
  return movesMoment.test(expression) || parseCalls(expression).some(({ name }) => !isKnown(name));
}

function isKnown(name: string): boolean {
  if (!immutable) throw new Error('Rules of functions need learnFunctions first');
  return immutable.has(name);
}

function writesTo(query: string): Write[] {
  return parseWrites(query).filter(({ table }) => byAccount.has(table));
}

function isLocking(query: string): boolean {
  return / for (no key )?(update|share)\b/.test(query);
}

function isSpread(query: string): boolean {
  return parseTables(query).some((table) => byAccount.has(table));
}

function isLocal(table: string): boolean {
  return local.has(table) || table.startsWith('pgboss.');
}

/** A write to a table within a statement, up to its closing bracket. */
interface Write {
  verb: 'insert into' | 'update' | 'delete from';
  table: string;
  text: string;
  /** True for INSERT … SELECT. */
  isOfSelect: boolean;
}

/** Returns the writes of a statement, also those in CTEs. */
function parseWrites(query: string): Write[] {
  return [...query.matchAll(/\b(insert into|update|delete from) ([a-z_]+)/g)].map((match) => {
    const [, verb, table = ''] = match;
    const text = upToItsBracket(query, match.index);
    const isOfSelect = /^insert into [a-z_]+ (?:\([^()]*\) )?select\b/.test(text);
    return { verb: verb as Write['verb'], table, text, isOfSelect };
  });
}

/** Returns the SET and the WHERE clause of an update or a delete. */
function parseExpressions(write: string): string[] {
  const [text = ''] = write.split(' returning ');
  const set = / set (.*?)(?: from | where |$)/.exec(text)?.[1] ?? '';
  return [set, / where (.*)$/.exec(text)?.[1] ?? ''];
}

/** Returns the function calls in a text, with their arguments. */
function parseCalls(text: string): Array<{ name: string; given: string }> {
  return [...text.matchAll(/\b([a-z_]+) ?\(/g)]
    .map((match) => ({ name: match[1] ?? '', given: upToItsBracket(text, match.index + match[0].length) }))
    .filter(({ name }) => !words.has(name));
}

/** Returns the names in an expression that may be columns. */
function namesIn(expression: string): string[] {
  const bare = expression.replace(/'[^']*'|\$\d+|::[a-z_]+(?:\[\])?/g, '');
  return [...bare.matchAll(/\b[a-z_]+\b(?! ?\()/g)].map(([name]) => name).filter((name) => !words.has(name));
}

const words = new Set(
  `all and any array as between by case coalesce day distinct else end epoch except exists false filter from greatest
  in interval into is least not null nullif on or over returning row select set then true values when where with`.split(
    /\s+/,
  ),
);

/** Returns the text up to the bracket that closes the current level. */
function upToItsBracket(text: string, from: number): string {
  let depth = 0;
  let to = from;
  for (; to < text.length && depth >= 0; to++) {
    if (text[to] === '(') depth += 1;
    if (text[to] === ')') depth -= 1;
  }
  return text.slice(from, depth < 0 ? to - 1 : to);
}

/** Returns the subqueries in brackets, with at most one nested level. */
function parseSubqueries(query: string): string[] {
  return [...query.matchAll(/\( ?select (?:[^()]|\([^()]*\))*\)/g)].map(([one]) => one);
}

/** Returns the tables that a query reads or writes, with the schema when it is written. */
export function parseTables(query: string): string[] {
  return [...query.matchAll(/\b(?:from|join|into|update|using) (?:only )?([a-z_]+(?:\.[a-z_]+)?)/g)].map(
    ([, table = '']) => table,
  );
}

/** Splits off the materialized CTEs of a statement, which run separately before the rest. */
function parseQueries(statement: string): string[] {
  const begins = / as materialized \(/.exec(statement);
  if (!begins) return [statement];
  const from = begins.index + begins[0].length;
  const inner = upToItsBracket(statement, from);
  const rest = `${statement.slice(0, begins.index)} as ()${statement.slice(from + inner.length + 1)}`;
  return [...parseQueries(inner), ...parseQueries(rest)];
}
