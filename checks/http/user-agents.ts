import type { UserAgent } from '../../schemas/http-status.ts';

/**
 * User agents of other clients, for pages that treat them differently. Sources: the smartphone crawler in Google's list
 * of crawlers, and Chrome on Windows, which sends only its major version.
 */
export const presetUserAgents: Readonly<Record<Exclude<UserAgent, 'sonde'>, string>> = {
  googlebot:
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  browser:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
};

export function userAgentHeader(choice: UserAgent, ownName: string): string {
  return choice === 'sonde' ? ownName : presetUserAgents[choice];
}
