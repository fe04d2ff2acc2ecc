/** Replaces characters that Postgres cannot store: U+0000 and lone surrogates. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** Serializes to JSON, and replaces characters that Postgres cannot store. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // In JSON both are escapes, and they are rare.
  if (!/\\u(0000|d[89a-f])/.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? toStorableText(part) : part,
  );
}

/**
 * Returns a pattern for `~*` that matches texts which contain `text`, ignoring case. `***=` makes the rest literal
 * (postgresql.org/docs/18/functions-matching.html#POSIX-METASYNTAX). LIKE would take time |text| × |pattern| for
 * "aaa…b".
 */
export function toSearchPattern(text: string): string {
  return `***=${text}`;
}
