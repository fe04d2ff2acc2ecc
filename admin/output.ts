/** Prints what a command answers: as JSON for scripts, else lists as tables and the rest field by field. */
export function print(result: unknown, isJson: boolean): void {
  if (isJson) process.stdout.write(`${JSON.stringify(toWords(result), null, 2)}\n`);
  else if (Array.isArray(result)) printTable(result.map((row) => toWords(row) as Record<string, unknown>));
  else if (typeof result === 'object' && result !== null)
    printFields(toWords(result) as Record<string, unknown>);
  else process.stdout.write(`${String(result)}\n`);
}

/** Field names as on the wire; dates as text. */
function toWords(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toWords);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snakeCase(name), toWords(inner)]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function printFields(fields: Record<string, unknown>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    if (isTable(value)) {
      process.stdout.write(`${name}\n`);
      printTable(value, '  ');
    } else process.stdout.write(`${name.padEnd(width)}  ${cell(value)}\n`);
  }
}

function isTable(value: unknown): value is Array<Record<string, unknown>> {
  return Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row);
}

function printTable(rows: Array<Record<string, unknown>>, indent = ''): void {
  const [first] = rows;
  if (!first) {
    process.stdout.write('(none)\n');
    return;
  }
  const names = Object.keys(first);
  const widthOf = (name: string) => Math.max(name.length, ...rows.map((row) => cell(row[name]).length));
  const line = (text: (name: string) => string) =>
    `${indent}${names
      .map((name) => text(name).padEnd(widthOf(name)))
      .join('  ')
      .trimEnd()}\n`;
  process.stdout.write(line((name) => name));
  for (const row of rows) process.stdout.write(line((name) => cell(row[name])));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
