const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An id of a batch, a monitor, a run or a submission as Postgres writes it, or null for what can be none. */
export function parseUuid(text: unknown): string | null {
  const id = String(text).toLowerCase();
  return form.test(id) ? id : null;
}
