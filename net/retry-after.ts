/**
 * Converts a Retry-After header to seconds (RFC 9110 section 10.2.3). The header is a number or a date. Returns null
 * for any other value.
 */
export function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
