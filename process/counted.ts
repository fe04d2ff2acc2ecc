/** Formats 1842 as `1,842`. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** Formats a count with its noun: `1 credit`, `2 credits`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Formats a time to wait, rounded up: `45 seconds`, `30 minutes`, `2 hours`. */
export function formatWait(seconds: number): string {
  if (seconds < 90) return counted(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
}
