const bytesMax = 8 * 1024 * 1024 - 200;
const ligature = '\ufdfa';

const list = (length: number, entry: (index: number) => unknown) =>
  Array.from({ length }, (_, index) => entry(index));

/** Bodies that cost more to read or to refuse than others of their length, by what they are made of. */
export const largeBodies: Readonly<Record<string, () => string>> = {
  'queries with international names': () =>
    JSON.stringify({
      queries: list(2000, (index) => ({
        url: `bücher${index}.example`,
        keyword: ligature.repeat(400) + index,
        competitors: list(10, (other) => `bücher${other}-${index}.example/${'ü'.repeat(80)}`),
      })),
    }),
  'queries that fit in nothing': () =>
    JSON.stringify({
      queries: list(1900, (index) => ({
        url: ligature.repeat(60) + index,
        keyword: ligature.repeat(500) + index,
        country: 'QQ',
        language: 'zz',
        device: 9,
        competitors: list(10, (other) => `http://${ligature}${other}${'ü'.repeat(60)}`),
        tag: '\u0000',
        unknown: 1,
      })),
    }),
  'addresses with odd names': () =>
    JSON.stringify({
      urls: list(2000, (index) => `http://${'ü'.repeat(1000)}${index}${`.${ligature}`.repeat(10)}`),
    }),
  'addresses too dear by far': () =>
    JSON.stringify({ urls: list(2000, (index) => `https://a${index}.example/${'é'.repeat(1990)}`) }),
  '48,000 unknown fields': () =>
    `{"urls":["https://a.example/"],${list(48_000, (index) => `"${'k'.repeat(150)}${index}":1`).join(',')}}`,
  '840,000 fields': () =>
    `{${list(840_000, (index) => `"k${index}":1`)
      .join(',')
      .slice(0, bytesMax)}`,
  'two million empty entries': () => `{"urls":[${'{},'.repeat(Math.floor(bytesMax / 3) - 10)}{}]}`,
};

/** Where each of them is sent. */
export function pathOf(largeBody: string): string {
  return largeBody.startsWith('queries') ? '/keyword-track' : '/http-status/bulk';
}
