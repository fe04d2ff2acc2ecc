/** Formats a result as JSON if `isJson`. Otherwise, formats a list as a table and an object as one line per field. */
export function formatResult(result: unknown, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(toWire(result), null, 2).replaceAll(controls, escapeControl)}\n`;
  if (Array.isArray(result)) return formatTable(result.map((row) => toWire(row) as Record<string, unknown>));
  if (typeof result === 'object' && result !== null)
    return formatFields(toWire(result) as Record<string, unknown>);
  return `${String(result)}\n`;
}

// Users choose names. Control characters in a name must not reach the operator's terminal.
const controls = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

function escapeControl(control: string): string {
  // Line breaks in values are already escaped. The remaining line breaks separate lines of JSON.
  return control === '\n' ? control : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Converts field names to snake_case and dates to ISO 8601. */
function toWire(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [toSnakeCase(name), toWire(inner)]));
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function formatFields(fields: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) =>
      isTable(value) ? `${name}\n${formatTable(value, '  ')}` : `${name.padEnd(width)}  ${toCell(value)}\n`,
    )
    .join('');
}

function isTable(value: unknown): value is Array<Record<string, unknown>> {
  return Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row);
}

function formatTable(rows: Array<Record<string, unknown>>, indent = ''): string {
  const [first] = rows;
  if (!first) return '(none)\n';
  const names = Object.keys(first);
  const widthOf = (name: string) => Math.max(name.length, ...rows.map((row) => toCell(row[name]).length));
  const line = (text: (name: string) => string) =>
    `${indent}${names
      .map((name) => text(name).padEnd(widthOf(name)))
      .join('  ')
      .trimEnd()}\n`;
  return [line((name) => name), ...rows.map((row) => line((name) => toCell(row[name])))].join('');
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(controls, '\ufffd');
}
