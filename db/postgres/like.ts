/** The pattern of LIKE for texts that have this one in them, whatever characters it is of. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
