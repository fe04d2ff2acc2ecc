/** A write to a table within a statement, up to its closing bracket. */
export interface Write {
  verb: 'insert into' | 'update' | 'delete from';
  table: string;
  text: string;
  /** True for INSERT … SELECT. */
  isOfSelect: boolean;
}

/** Returns the writes of a statement, also those in CTEs. */
export function parseWrites(query: string): Write[] {
  return [...query.matchAll(/\b(insert into|update|delete from) ([a-z_]+)/g)].map((match) => {
    const [, verb, table = ''] = match;
    const text = upToItsBracket(query, match.index);
    const isOfSelect = /^insert into [a-z_]+ (?:\([^()]*\) )?select\b/.test(text);
    return { verb: verb as Write['verb'], table, text, isOfSelect };
  });
}

/** Returns the SET and the WHERE clause of an update or a delete. */
export function parseExpressions(write: string): string[] {
  const [text = ''] = write.split(' returning ');
  const set = / set (.*?)(?: from | where |$)/.exec(text)?.[1] ?? '';
  return [set, / where (.*)$/.exec(text)?.[1] ?? ''];
}

/** Returns the function calls in a text, with their arguments. */
export function parseCalls(text: string): Array<{ name: string; given: string }> {
  return [...text.matchAll(/\b([a-z_]+) ?\(/g)]
    .map((match) => ({ name: match[1] ?? '', given: upToItsBracket(text, match.index + match[0].length) }))
    .filter(({ name }) => !words.has(name));
}

/** Returns the names in an expression that may be columns. */
export function namesIn(expression: string): string[] {
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
export function parseSubqueries(query: string): string[] {
  return [...query.matchAll(/\( ?select (?:[^()]|\([^()]*\))*\)/g)].map(([one]) => one);
}

/** Returns the tables that a query reads or writes, with the schema when it is written. */
export function parseTables(query: string): string[] {
  return [...query.matchAll(/\b(?:from|join|into|update|using) (?:only )?([a-z_]+(?:\.[a-z_]+)?)/g)].map(
    ([, table = '']) => table,
  );
}

/** Splits off the materialized CTEs of a statement, which run separately before the rest. */
export function parseQueries(statement: string): string[] {
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
  return [...parseQueries(statement.slice(from, to - 1)), ...parseQueries(rest)];
}
