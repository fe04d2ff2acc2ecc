import type { SerpPage } from './serp.ts';
import { SharedCalls } from './shared-calls.ts';

/** Pages that several checks look through. */
export type SharedPages = SharedCalls<SerpPage[]>;

/** `reuseMs`: how long genuine pages serve others. */
export function createSharedPages(reuseMs: number): SharedPages {
  return new SharedCalls(reuseMs);
}
