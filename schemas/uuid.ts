const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns a UUID in lower case, as Postgres writes it, or null. */
export function parseUuid(text: unknown): string | null {
  const id = String(text).toLowerCase();
  return uuidPattern.test(id) ? id : null;
}
