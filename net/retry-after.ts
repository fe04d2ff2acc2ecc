/**
 * Returns the seconds to wait that a Retry-After header gives as a number or a date (RFC 9110 section 10.2.3); else
 * null.
 */
export function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
