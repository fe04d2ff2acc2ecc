/** Replaces characters that Postgres cannot store: U+0000 and lone surrogates. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** Serializes to JSON, and replaces characters that Postgres cannot store. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // A JSON text without escapes for these characters needs no replacement. Such escapes are rare.
  if (!/\\u(0000|d[89a-f])/.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? toStorableText(part) : part,
  );
}

const partLength = 32;

/**
 * Returns a pattern for `~* all(…)` for each 32 characters of `text`. The patterns match texts that contain all these
 * parts, in any case. `***=` makes the rest of a pattern literal
 * (postgresql.org/docs/18/functions-matching.html#POSIX-METASYNTAX). The parts are short, because the time of a match
 * grows with the square of the pattern's length. LIKE would take time proportional to the product of both lengths.
 */
export function toSearchPatterns(text: string): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / partLength);
  return Array.from(
    { length: count },
    (_, nth) => `***=${characters.slice(nth * partLength, (nth + 1) * partLength).join('')}`,
  );
}
