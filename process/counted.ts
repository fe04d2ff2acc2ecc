/** Formats 1842 as `1,842`. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** Formats a count with its noun: `1 credit`, `2 credits`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
