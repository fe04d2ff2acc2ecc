import { ProviderError, type SerpPage } from './serp.ts';
import { SharedCalls } from './shared-calls.ts';

/** Pages that several checks look through. */
export type SharedPages = SharedCalls<SerpPage[]>;

/** A page takes about 3 KB: some ten thousand of them, or fewer of uncommonly long addresses. */
const charsMax = 16 * 1024 * 1024;

/** `reuseMs`: how long genuine pages serve others, and how long a query that Google rewrote is not paid for again. */
export function createSharedPages(reuseMs: number): SharedPages {
  return new SharedCalls({ reuseMs, weigh: charsOf, weightMax: charsMax, keepsFailure: isRewritten });
}

function charsOf(pages: SerpPage[]): number {
  const results = pages.flatMap((page) => page.results);
  return results.reduce((sum, { url, title }) => sum + url.length + title.length + 100, 200);
}

function isRewritten(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'rewritten';
}
