const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the UUID in lower case, as Postgres writes it. Returns null if the text is not a UUID. */
export function parseUuid(text: unknown): string | null {
  const id = String(text).toLowerCase();
  return uuidPattern.test(id) ? id : null;
}
