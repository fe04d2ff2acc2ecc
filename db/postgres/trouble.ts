// Connection failures (class 08), shutdowns (57P), a full disk, no memory, too many connections (class 53), a
// server that became a standby (25006).
const codes = /^(08|57P|53|25006|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/;
// pg has no codes for what it finds out itself.
const messages =
  /connection terminated|timeout exceeded when trying to connect|Connection ended|Query read timeout|not queryable/i;

/** True when an error says that the database is away, about to be, or full, and nothing about what was asked of it. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codes.test(String((error as { code?: unknown }).code ?? '')) || messages.test(error.message);
}

// The time-outs of inTransaction (a lock, a statement, an idle transaction), and transactions in each other's
// way.
const busyCodes = /^(55P03|57014|25P0[23]|40P01|40001)/;

/**
 * True when an error says that what was asked could not be done for what others were doing: nothing was
 * changed.
 */
export function isContention(error: unknown): boolean {
  return error instanceof Error && busyCodes.test(String((error as { code?: unknown }).code ?? ''));
}
