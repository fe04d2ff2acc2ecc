/** Text that Postgres can hold: it refuses U+0000, and what is not well-formed Unicode. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** JSON text that Postgres can hold, whatever a provider's or a stranger's strings have in them. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // Both appear as escapes in JSON text, and in next to none of it.
  if (!/\\u(0000|d[89a-f])/.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? storableText(part) : part,
  );
}

/** The pattern of LIKE for texts that have this one in them, whatever characters it is of. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
