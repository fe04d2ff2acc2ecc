import { isIP } from 'node:net';
import { type AddressPolicy, isBadPort } from './address.ts';

/** The longest address taken, in characters; sitemaps allow no longer ones. */
export const urlLengthMax = 2048;

export type ParsedTarget = { url: URL; problem?: never } | { url?: never; problem: string };

/**
 * Reads what a caller sent as a target. `problem` is a sentence for the caller. White space around is
 * ignored; a scheme is suggested, never guessed. What is said of names here is a courtesy: the agent decides
 * about the addresses they resolve to, at the moment of connecting.
 */
export function parseTarget(input: string, policy: AddressPolicy): ParsedTarget {
  const text = input.trim();
  const problem = problemOfText(text);
  if (problem !== null) return { problem };
  if (!/^https?:\/\//i.test(text)) return { problem: `Not a complete address.${suggestion(text)}` };
  const url = parseUrl(text);
  if (!url) return { problem: 'Not a valid address.' };
  if (url.username || url.password)
    return { problem: 'Addresses with a user name or password are not checked.' };
  if (!isPermitted(url, policy)) {
    return {
      problem:
        'This address is private or reserved and is never contacted, unless TARGET_ALLOW_CIDRS of the service has it.',
    };
  }
  return { url };
}

/** What is wrong with a trimmed text before it is read as an address, as a sentence for the caller; null: nothing. */
export function problemOfText(text: string): string | null {
  if (text === '') return 'Empty. Send a complete address such as https://example.com/.';
  if (text.length > urlLengthMax) return `Longer than ${urlLengthMax} characters.`;
  if (text.isWellFormed() && !hasControlCharacter(text)) return null;
  return 'Contains a character that no address can hold.';
}

/**
 * An address, read once, against a base if there is one; null for what is none, and for a host that DNS cannot hold.
 * Its length is looked at before it is read: the ASCII form of a label takes time with the square of its length.
 */
export function parseUrl(address: string, base?: string): URL | null {
  const [, authority = ''] = authorityPattern.exec(address.replace(ignoredCharacters, '')) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (!fitsDns(host)) return null;
  const url = URL.parse(address, base);
  return url && (url.hostname === host || fitsDns(url.hostname)) ? url : null;
}

/** Characters that the URL parser ignores: in front of a URL, and anywhere in it. */
const ignoredCharacters = /^[\p{Cc} ]+|[\t\r\n]/gu;
const authorityPattern = /^(?:[a-z][a-z0-9+.-]*:[/\\]*|[/\\]{2,})([^/\\?#]*)/i;
const [nameLengthMax, labelLengthMax] = [253, 63];

// Four characters are read as dots (UTS 46).
const dots = new Set([...'.\u3002\uff0e\uff61'].map((dot) => dot.charCodeAt(0)));

/** RFC 1035 section 2.3.4; a dot at the end is none of the name. Makes nothing: it is asked of every address. */
function fitsDns(host: string): boolean {
  let labelLength = 0;
  for (let index = 0; index < host.length; index++) {
    labelLength = dots.has(host.charCodeAt(index)) ? 0 : labelLength + 1;
    if (labelLength > labelLengthMax || index > nameLengthMax) return false;
  }
  return host.length <= nameLengthMax || labelLength === 0;
}

/** An address, of whatever shape, without its fragment. */
export function withoutFragment(address: string): string {
  const [rest = ''] = address.split('#', 1);
  return rest;
}

/** The port a request to this URL goes to. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** The host as an IP address without brackets, or null when it is a name. */
export function literalAddress(hostname: string): string | null {
  // As every address does and few names do, which are most: whether it is one takes longer to ask.
  if (!/\d$|:/.test(hostname)) return null;
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) ? bare : null;
}

// Names that lead nowhere public: RFC 6761, 6762, 7686, 8375, and what clusters use inside.
const localSuffixes = ['localhost', 'local', 'internal', 'home.arpa', 'svc', 'consul', 'onion'];

/** Returns whether a URL may be contacted, as far as its host and port say. The agent judges what names resolve to. */
export function isPermitted(url: URL, policy: AddressPolicy): boolean {
  const literal = literalAddress(url.hostname);
  if (literal) return policy.allows(literal, portOf(url));
  if (policy.hasExceptions) return true;
  return !isLocalName(url.hostname) && !isBadPort(portOf(url));
}

function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || localSuffixes.some((suffix) => name.endsWith(`.${suffix}`));
}

function suggestion(text: string): string {
  const bare = text.replace(/^\w{1,10}:\/*/, '').replace(/^\/+/, '');
  const candidate = `https://${bare}`;
  const looksRight = /^[^\s/]+\.[^\s/]{2,}/.test(bare) && !/\s/.test(bare) && parseUrl(candidate) !== null;
  return looksRight ? ` Did you mean ${candidate}?` : ' It must begin with https:// or http://.';
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
