import type { Cost } from '../outcome.ts';
import { type PageRange, ProviderError, type SerpProvider } from './serp.ts';

/** What one call costs the check it is made for: its estimate while it is out, then what it came to. */
export interface Paying {
  /** As far as it is known. */
  readonly pages: number;
  settle(pages: number): void;
  /** A page of the wrong kind is paid for like a right one; what never came is not. */
  settleFailure(error: unknown): void;
}

/**
 * Adds a call that goes out to the costs of the check it is made for, and of those that share it, so that one given up
 * meanwhile is counted too.
 */
export function payFor(provider: SerpProvider, { to }: PageRange, costs: Cost[]): Paying {
  const estimate = 'crawl' in provider ? to : 1;
  let pages = 0;
  const settle = (actual: number) => {
    for (const cost of costs) cost.pages += actual - pages;
    pages = actual;
  };
  settle(estimate);
  return {
    get pages() {
      return pages;
    },
    settle,
    settleFailure: (error) => settle(isPageOfAnyKind(error) ? estimate : 0),
  };
}

function isPageOfAnyKind(error: unknown): boolean {
  return error instanceof ProviderError && (error.kind === 'rewritten' || error.kind === 'unreadable');
}
