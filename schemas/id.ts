/**
 * Returns the number of an id in a path or a form. Returns null if the text is not a number of 1 to 15 digits without
 * leading zeros.
 */
export function parseId(text: unknown): number | null {
  return /^[1-9]\d{0,14}$/.test(String(text)) ? Number(text) : null;
}
