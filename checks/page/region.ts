/** An element that lasts until as many of its own tag have closed as have opened. */
export type Region = { tag: string; depth: number };

/** The region once another element has opened within it. */
export function reopen(region: Region, tag: string): void {
  if (region.tag === tag) region.depth++;
}

/** The region once an element has closed within it; null when that was the region itself. */
export function close(region: Region, tag: string): Region | null {
  if (region.tag === tag) region.depth--;
  return region.depth > 0 ? region : null;
}
