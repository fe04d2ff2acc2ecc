/** What a command answers, as it is printed: as JSON for scripts, else lists as tables and the rest field by field. */
export function shown(result: unknown, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(toWords(result), null, 2).replaceAll(controls, escaped)}\n`;
  if (Array.isArray(result)) return tableOf(result.map((row) => toWords(row) as Record<string, unknown>));
  if (typeof result === 'object' && result !== null)
    return fieldsOf(toWords(result) as Record<string, unknown>);
  return `${String(result)}\n`;
}

// Names are chosen by strangers, and must not steer the operator's terminal: C0 and C1, and what reverses text.
const controls = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

function escaped(control: string): string {
  // The line breaks of values are escaped already.
  return control === '\n' ? control : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
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

function fieldsOf(fields: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) =>
      isTable(value) ? `${name}\n${tableOf(value, '  ')}` : `${name.padEnd(width)}  ${cell(value)}\n`,
    )
    .join('');
}

function isTable(value: unknown): value is Array<Record<string, unknown>> {
  return Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row);
}

function tableOf(rows: Array<Record<string, unknown>>, indent = ''): string {
  const [first] = rows;
  if (!first) return '(none)\n';
  const names = Object.keys(first);
  const widthOf = (name: string) => Math.max(name.length, ...rows.map((row) => cell(row[name]).length));
  const line = (text: (name: string) => string) =>
    `${indent}${names
      .map((name) => text(name).padEnd(widthOf(name)))
      .join('  ')
      .trimEnd()}\n`;
  return [line((name) => name), ...rows.map((row) => line((name) => cell(row[name])))].join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(controls, '\ufffd');
}
