import type { UserAgent } from '../../schemas/http-status.ts';

/**
 * The names that others go by, for a page that answers each differently. Source: Google's list of its
 * crawlers, the smartphone one, and Chrome on Windows with its version reduced as Chrome reduces it.
 */
export const borrowedNames: Readonly<Record<Exclude<UserAgent, 'sonde'>, string>> = {
  googlebot:
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  browser:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
};

/** The `User-Agent` header of a check: our own name, or a borrowed one. */
export function userAgentHeader(choice: UserAgent, ownName: string): string {
  return choice === 'sonde' ? ownName : borrowedNames[choice];
}
