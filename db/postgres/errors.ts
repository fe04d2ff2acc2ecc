// Connection failures (08); shutdowns (57P); a full disk, no memory or too many connections (53); a standby (25006).
const unavailableCodes = /^(08|57P|53|25006|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/;
// pg has no codes for its own errors.
const unavailableMessages =
  /connection terminated|timeout exceeded when trying to connect|Connection ended|Query read timeout|not queryable/i;

/** Returns true if an error means that the database is unavailable or full. Any query can then fail. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  return unavailableCodes.test(code) || unavailableMessages.test(error.message);
}

// The time-outs of transactions (lock, statement, idle), deadlocks and serialization failures.
const contentionCodes = /^(55P03|57014|25P0[23]|40P01|40001)/;

/**
 * Returns true if a transaction failed because of other transactions or a time-out. The transaction then changed
 * nothing.
 */
export function isContention(error: unknown): boolean {
  return error instanceof Error && contentionCodes.test(String((error as { code?: unknown }).code ?? ''));
}
