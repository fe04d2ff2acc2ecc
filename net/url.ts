import { isIP } from 'node:net';
import { type AddressPolicy, isBadPort } from './address.ts';

/** Longest URL accepted, in characters. It is also the limit of the sitemap protocol. */
const urlLengthMax = 2048;

export type ParsedTarget = { url: URL; problem?: never } | { url?: never; problem: string };

/**
 * Parses a target URL of a user. Ignores surrounding white space. If the URL is invalid, `problem` is a sentence for
 * the user. A missing scheme is suggested, but not added. Host names are checked here to show the problem early. The
 * agent checks the resolved addresses when it connects.
 */
export function parseTarget(input: string, policy: AddressPolicy): ParsedTarget {
  const text = input.trim();
  const problem = findTextProblem(text);
  if (problem !== null) return { problem };
  if (!/^https?:\/\//i.test(text)) return { problem: `Not a complete URL.${suggestUrl(text)}` };
  const url = parseUrl(text);
  if (!url) return { problem: 'Not a valid URL.' };
  if (url.username || url.password)
    return { problem: 'URLs with a user name or password are not checked. Remove both from the URL.' };
  if (!isPermitted(url, policy)) {
    return {
      problem:
        'We do not contact this URL: its host is private, or its port is blocked. The operator can allow private IP addresses in TARGET_ALLOW_CIDRS.',
    };
  }
  return { url };
}

/**
 * Finds problems of a trimmed text without parsing the URL. Returns a sentence for the user; null if nothing is wrong.
 */
export function findTextProblem(text: string): string | null {
  if (text === '') return 'Empty. Send a complete URL such as https://example.com/.';
  if (text.length > urlLengthMax) return `Longer than ${urlLengthMax} characters.`;
  if (/^https?:\/\/https?:\/\//i.test(text)) return 'Begins with two schemes. Remove one of them.';
  if (text.isWellFormed() && !hasControlCharacter(text)) return null;
  return 'Contains a character that is not allowed in a URL.';
}

/**
 * Parses a URL, which may be relative to `base`. Returns null if the URL is invalid or the host is too long for DNS.
 * The length of the host is checked first, because converting a label to ASCII takes quadratic time.
 */
export function parseUrl(address: string, base?: string): URL | null {
  const [, authority = ''] = authorityPattern.exec(address.replace(ignoredCharacters, '')) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (!fitsDns(host)) return null;
  const url = URL.parse(address, base);
  return url && (url.hostname === host || fitsDns(url.hostname)) ? url : null;
}

/**
 * Characters that the URL parser ignores: control characters and spaces before a URL, and tabs and line breaks
 * anywhere.
 */
const ignoredCharacters = /^[\p{Cc} ]+|[\t\r\n]/gu;
const authorityPattern = /^(?:[a-z][a-z0-9+.-]*:[/\\]*|[/\\]{2,})([^/\\?#]*)/i;
const [nameLengthMax, labelLengthMax] = [253, 63];

// UTS 46 reads four characters as dots.
const dots = new Set([...'.\u3002\uff0e\uff61'].map((dot) => dot.charCodeAt(0)));

/**
 * Returns whether a host keeps the limits of RFC 1035 section 2.3.4, which do not include a final dot. Allocates no
 * memory, because this runs for every URL of a list.
 */
function fitsDns(host: string): boolean {
  let labelLength = 0;
  for (let index = 0; index < host.length; index++) {
    labelLength = dots.has(host.charCodeAt(index)) ? 0 : labelLength + 1;
    if (labelLength > labelLengthMax || index > nameLengthMax) return false;
  }
  return host.length <= nameLengthMax || labelLength === 0;
}

/** Removes the fragment of a URL. The URL may be invalid. */
export function withoutFragment(address: string): string {
  const [rest = ''] = address.split('#', 1);
  return rest;
}

/** Returns the port of an http or https URL, including the default port. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** Returns the host as an IP address without brackets; null for a name. */
export function parseIpHost(hostname: string): string | null {
  // Most hosts are names. This test is faster than `isIP` and excludes nearly all of them.
  if (!/\d$|:/.test(hostname)) return null;
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) ? bare : null;
}

// Names that are never public: names of RFC 6761, 6762, 7686 and 8375, and names used inside clusters.
const localSuffixes = ['localhost', 'local', 'internal', 'home.arpa', 'svc', 'consul', 'onion'];

/** Returns whether host and port of a URL are allowed. The agent checks the addresses that a name resolves to. */
export function isPermitted(url: URL, policy: AddressPolicy): boolean {
  const literal = parseIpHost(url.hostname);
  if (literal) return policy.allows(literal, portOf(url));
  if (policy.hasExceptions) return true;
  return !isLocalName(url.hostname) && !isBadPort(portOf(url));
}

function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || localSuffixes.some((suffix) => name.endsWith(`.${suffix}`));
}

function suggestUrl(text: string): string {
  const bare = text.replace(/^\w{1,10}:\/*/, '').replace(/^\/+/, '');
  const candidate = `https://${bare}`;
  const hasDomain = /^[^\s/@]+\.[^\s/@]{2,}(?:[/?#]|$)/.test(bare);
  const looksRight = hasDomain && !/\s/.test(bare) && parseUrl(candidate) !== null;
  return looksRight ? ` Did you mean ${candidate}?` : ' It must begin with https:// or http://.';
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
