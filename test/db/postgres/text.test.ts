import { expect } from 'chai';
import { sql } from 'kysely';
import { toSearchPatterns, toStorableJson } from '../../../db/postgres/text.ts';
import { useRecords } from '../../support/records.ts';

describe('storable JSON', () => {
  it('is plain JSON when Postgres can hold it', () => {
    const value = { url: 'https://example.com/\u00e9?a=\\u0000', list: [1, null, '😀'] };
    expect(JSON.parse(toStorableJson(value))).to.deep.equal(value);
  });

  it('has no U+0000 and no half of a surrogate pair', () => {
    const value = { ranked_url: 'https://example.com/\0', list: ['\ud800x'] };
    expect(JSON.parse(toStorableJson(value))).to.deep.equal({
      ranked_url: 'https://example.com/\ufffd',
      list: ['\ufffdx'],
    });
  });
});

describe('a search pattern', () => {
  const records = useRecords();

  const cases: [search: string, text: string, isFound: boolean][] = [
    ['RED', 'a red shoe', true],
    ['ÄRGER', 'kein ärger', true],
    ['100%', '100 shoes', false],
    ['a_c', 'abc', false],
    ['a.c', 'abc', false],
    ['a\\d', 'a7', false],
    ['(?:a|b)[c]*+', 'x(?:a|b)[c]*+y', true],
    ['***=a', 'a', false],
    ['\\', 'C:\\', true],
    [`${'x'.repeat(40)}y`, `a${'x'.repeat(40)}y`, true],
    [`${'x'.repeat(40)}y`, `a${'x'.repeat(40)}z`, false],
  ];
  for (const [search, text, isFound] of cases) {
    it(`${isFound ? 'finds' : 'does not find'} ${search} in ${text}`, async () => {
      const { rows } = await sql<{ isFound: boolean }>`
        select ${text}::text ~* all(${toSearchPatterns(search)}::text[]) as is_found`.execute(records.db);
      expect(rows).to.deep.equal([{ isFound }]);
    });
  }
});
