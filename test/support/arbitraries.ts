import fc from 'fast-check';

/** Texts that have broken some service before. */
const infamous = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\ufffe\uffff',
  '\u202e\u2066',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'NaN',
  '-0',
  '1e309',
  '9'.repeat(40),
  "'; drop table accounts; --",
  '{{7*7}}<%= 7*7 %>',
  '../../etc/passwd',
  '%00%0d%0a',
  '\r\nSet-Cookie: a=b',
  'x'.repeat(256),
  'é'.repeat(2049),
  '🏳️‍🌈'.repeat(100),
];

const addresses = [
  'http://nobody.test/',
  'https://nobody.test/a?b=c#d',
  ' http://nobody.test/ ',
  'http://nobody.test/\0',
  'http://nobody.test/\ud800',
  `http://nobody.test/${'x'.repeat(2100)}`,
  `http://${'a.'.repeat(120)}test/`,
  `http://${'x'.repeat(64)}.test/`,
  'http://nobody.test:0/',
  'http://nobody.test:99999/',
  'http://xn--a.test/',
  'http://a\u0300\u0300.test/',
  'http://user:pass@nobody.test/',
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://[::1%25lo]/',
  'http://0/',
  'javascript:alert(1)',
  'nobody.test',
];

/** The first surrogate, and the number of surrogates, which are not characters by themselves. */
const [firstHalf, halves] = [0xd8_00, 0x8_00];

/** Any character. The library's own `binary` is the same, but first builds a table of them all. */
export const character: fc.Arbitrary<string> = fc
  .nat(0x10_ff_ff - halves)
  .map((nth) => String.fromCodePoint(nth < firstHalf ? nth : nth + halves), toCodeIndex);

/** The inverse mapping, which the library needs for its examples. */
function toCodeIndex(text: unknown): number {
  const codePoint = String(text).codePointAt(0) ?? 0;
  const isHalf = codePoint >= firstHalf && codePoint < firstHalf + halves;
  if (isHalf || String.fromCodePoint(codePoint) !== text) throw new Error('That is not one character');
  return codePoint < firstHalf ? codePoint : codePoint - halves;
}

const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...infamous, ...addresses),
  fc.string({ unit: character, maxLength: 40 }),
  fc.string({ maxLength: 40 }),
);

/** Any JSON value, a few levels deep, with hostile keys. */
const json: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Generates mostly values of `meant`, so that some requests are accepted. */
const mostly = <A, B>(meant: fc.Arbitrary<A>, else_: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: 9, arbitrary: meant }, { weight: 1, arbitrary: else_ });

const address = mostly(
  text.map((path) => `http://nobody.test/${encode(path)}`),
  fc.oneof(fc.constantFrom(...addresses), text),
);
const label = mostly(fc.constantFrom('shoes', 'größe 46', ' 靴 '), text);
const field = (meant: fc.Arbitrary<unknown>) => mostly(meant, json);

type Fields = Record<string, fc.Arbitrary<unknown>>;

/** Generates an object that nearly always has the needed field, and sometimes has other and unknown fields. */
function arbitraryRequest(needed: string, fields: Fields): fc.Arbitrary<unknown> {
  const all: Fields = { ['__proto__']: json, constructor: json, extra: json, ...fields };
  return mostly(fc.record(all, { requiredKeys: [needed] }), fc.record(all, { requiredKeys: [] }));
}

const query = fc.record(
  {
    url: field(address),
    keyword: field(label),
    country: field(mostly(fc.constantFrom('US', 'uk'), fc.constantFrom('xx', 'ß', '🇩🇪', 'İ'))),
    language: field(mostly(fc.constantFrom('en', 'ZH'), fc.constantFrom('xx', 'ſſ'))),
    start_page: field(fc.integer({ min: 1, max: 3 })),
    end_page: field(fc.integer({ min: 3, max: 11 })),
    brd_mobile: field(fc.boolean()),
    match: field(fc.constantFrom('site', 'host', 'page', 'prefix')),
    tag: field(text),
  },
  { requiredKeys: ['url', 'keyword'] },
);

const ofBulk = {
  webhook_url: field(address),
  reference: field(label),
  dedupe: field(fc.boolean()),
  on_invalid: field(fc.constant('skip')),
  follow_redirects: field(fc.boolean()),
  user_agent: field(fc.constantFrom('sonde', 'googlebot', 'browser')),
};
const single = arbitraryRequest('url', { url: field(address), follow_redirects: field(fc.boolean()) });
const bulk = arbitraryRequest('urls', { urls: field(fc.array(field(address), { maxLength: 4 })), ...ofBulk });
const keyword = arbitraryRequest('queries', {
  queries: field(fc.array(field(query), { maxLength: 3 })),
  ...ofBulk,
});

/** A body for a path: valid, partly wrong, or anything. */
export function bodyFor(path: string): fc.Arbitrary<unknown> {
  if (path.includes('keyword')) return mostly(keyword, json);
  return mostly(path.includes('bulk') ? bulk : single, json);
}

const arbitraryWord = (words: string) => fc.oneof(fc.constantFrom(...words.split(' ')), text.map(encode));

/** A query string of known and unknown parameters, some of them not encoded. */
export const queryString: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      arbitraryWord(
        'page per_page type status results wait cursor url is_indexed from to format state __proto__ page[]',
      ),
      arbitraryWord(
        'http index partial none true 1 0 -1 1e3 100001 2026-11-20 0000-01-01 9999-12-31T23:59:60Z %E0%A4%A %00 % a=b',
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
  // A longer query string is rejected with the headers, before routing.
  .filter((query) => query.length < 2000);

/** A path segment in place of an id. */
export const pathPart: fc.Arbitrary<string> = fc.oneof(
  // An empty id would make another path.
  text.filter((id) => id !== '').map(encode),
  fc.uuid(),
  fc.nat().map(String),
  fc.constantFrom('%E0%A4%A', '%00', '%', '%2e%2e', '%2f', '..;', '9'.repeat(15), '9'.repeat(16)),
);

const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 40 });

/** Headers that fetch accepts. Often none. */
export const headers: fc.Arbitrary<Record<string, string>> = mostly(
  fc.record({ 'Idempotency-Key': headerText }, { requiredKeys: [] }),
  oddHeaders(),
);

function oddHeaders(): fc.Arbitrary<Record<string, string>> {
  return fc.record(
    {
      'Idempotency-Key': fc.oneof(headerText, fc.constantFrom('""', '"a"', 'x'.repeat(256), 'ÿ', ' ')),
      'Content-Type': fc.oneof(
        { weight: 6, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: headerText },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            'application/json; charset=utf-16',
            'application/json; charset="',
            'application/json;;;=',
            'APPLICATION/JSON; charset=UTF-8',
            'application/vnd.api+json',
            'text/html',
            '*/*',
          ),
        },
      ),
      'Content-Encoding': fc.constantFrom('identity', 'gzip', 'br', 'x', ''),
      Accept: headerText,
      'Accept-Language': headerText,
      'If-None-Match': headerText,
      Range: fc.constantFrom('bytes=0-', 'bytes=-1', 'x'),
      'X-Forwarded-For': headerText,
      'X-Forwarded-Proto': headerText,
      'X-HTTP-Method-Override': fc.constantFrom('DELETE', 'GET'),
      Prefer: headerText,
      Cookie: headerText,
    },
    { requiredKeys: [] },
  );
}

/** Percent-encodes a text as UTF-8. Replaces lone surrogates. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%2B', '+');
}
