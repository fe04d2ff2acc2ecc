import { expect } from 'chai';
import fc from 'fast-check';
import * as items from '../../db/batches/items.ts';
import * as resultPages from '../../db/batches/result-pages.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { type CheckType, checkTypeEntry, checkTypeNames } from '../../schemas/check-types.ts';
import { itemErrors } from '../../schemas/failures.ts';
import { itemBody } from '../../wire/bodies.ts';
import { type ItemText, itemText } from '../../wire/item-text.ts';
import { character } from '../support/arbitraries.ts';
import { borrowRecords, type Records } from '../support/records.ts';

const shapes = [false, true].flatMap((isTest) =>
  [
    { evidence: false, results: false },
    { evidence: true, results: false },
    { evidence: true, results: true },
    { evidence: false, results: true, reference: null },
    { evidence: false, results: false, reference: '"of\u2028 all\\\n' },
  ].map((shown) => ({ isTest, ...shown })),
);

describe('an item as text', () => {
  let records: Records;

  before(async () => {
    records = await borrowRecords();
  });

  after(() => records.giveBack());

  for (const type of checkTypeNames) {
    it(`is the body of a check to the character (${type})`, async () => {
      const accountId = await records.account();
      await inTransaction(records.db, (trx) =>
        items.insert(trx, { accountId, batchId: null, type }, itemsOf(type)),
      );
      for (const { isTest, reference, ...shown } of shapes) {
        const rows = await textsOf(accountId, { type, isTest, ...shown, reference });
        expect(rows).to.have.lengthOf(itemsOf(type).length);
        const ids = rows.map(({ requestId }) => requestId);
        const found = shown.results ? await resultPages.find(records.db, accountId, ids) : new Map();
        for (const { text, ...row } of rows) {
          const results = found.get(row.requestId);
          const body = itemBody(row as items.ItemRow, { ...shown, results, isTest });
          expect(text).to.equal(JSON.stringify(reference === undefined ? body : { ...body, reference }));
        }
      }
    });
  }

  it('is one, too, where only newer processes know its type', async () => {
    const accountId = await records.account();
    await inTransaction(records.db, (trx) =>
      items.insert(trx, { accountId, batchId: null, type: 'index' }, itemsOf('index')),
    );
    const type = 'newer' as CheckType;
    const shown = { type, isTest: false, evidence: false, results: false };
    for (const { text, ...row } of await textsOf(accountId, shown))
      expect(text).to.equal(JSON.stringify(itemBody({ ...row, type } as items.ItemRow)));
  });

  function textsOf(accountId: number, shown: ItemText) {
    return records.db
      .selectFrom('items')
      .select(items.itemColumns)
      .select(itemText(shown).as('text'))
      .where('accountId', '=', accountId)
      .orderBy('requestId')
      .execute();
  }

  it('has no field of the answer that is one of the input, too', () => {
    for (const type of checkTypeNames) {
      const { input, answer } = checkTypeEntry(type);
      const always = ['request_id', 'state', 'credits', 'checked_at', 'results', 'reference', 'message'];
      const all = [...Object.keys(input.properties), ...always];
      const { results: _, ...kept } = answer.properties;
      expect(Object.keys(kept).filter((name) => all.includes(name))).to.deep.equal([]);
    }
  });
});

/** Every way an item of a type may have ended, with all there is in its texts. */
function itemsOf(type: CheckType): items.NewItem[] {
  const texts = fc.sample(fc.string({ unit: character }), { numRuns: 40, seed: 1 });
  const hard = [
    '',
    ...texts,
    '}\\u0001{',
    ',"asked":[]',
    '"asked":',
    '\u2028\u007f\u0085',
    '<&>\'"\\/\b\f\n\r\t',
  ];
  const examples = Object.values(checkTypeEntry(type).examples);
  const results = [{ position: 1, url: 'https://a.example/', title: hard.join(), page: null }];
  const queries = [',"asked":[]}', ...hard].map((query) => ({ query, provider: 'serper', results: 3 }));
  const asked = type === 'http' ? {} : { asked: queries };
  const found = type === 'keyword' ? { results } : {};
  const numbers = { number: 1e21, small: -0.000_1 };
  const ended = [
    ...examples.map(({ answer }) => ({ outcome: answer })),
    ...hard.map((text) => ({ outcome: { ...examples[0]?.answer, text, ...numbers, ...asked }, ...found })),
    ...itemErrors.map((error) => ({ error })),
    ...hard.map((problem) => ({ error: 'invalid_url', problem })),
  ];
  return ended.map((result, n) => {
    const input = { url: hard[n % hard.length], ...examples[n % examples.length]?.input };
    return { requestId: n + 1, chunkId: 1, position: null, input, result } as items.NewItem;
  });
}
