import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createDocumentThreads } from '../../checks/sitemap/document-thread.ts';
import { readJsonBody } from '../../lists/json-body.ts';

const read = (json: string) => readJsonBody(Buffer.from(json));
const findFault = (json: string) => read(json).fault;
const fields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])));

describe('a JSON body', () => {
  it('has the value that JSON.parse returns', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const { value, fault } = read(json);
        if (fault) expect(fault).to.equal('too_deep');
        else expect(value).to.deep.equal(JSON.parse(json));
      }),
    );
  });

  it('has the fingerprint of its bytes', () => {
    const { sha256 } = read('{"a": 1}');
    expect(Buffer.from(sha256)).to.deep.equal(createHash('sha256').update('{"a": 1}').digest());
  });

  it('is rejected if it is invalid, or has too many values, fields or levels', () => {
    expect(findFault('{"a":')).to.equal('invalid');
    expect(findFault(`[${'{},'.repeat(49_998)}{}]`)).to.equal(undefined);
    expect(findFault(`[${'{},'.repeat(50_000)}{}]`)).to.equal('too_many_values');
    expect(findFault(fields(100))).to.equal(undefined);
    expect(findFault(`{"list":[1,${fields(101)}]}`)).to.equal('too_many_values');
    expect(findFault(`${'['.repeat(20)}${']'.repeat(20)}`)).to.equal(undefined);
    expect(findFault(`${'['.repeat(21)}${']'.repeat(21)}`)).to.equal('too_deep');
    expect(findFault(`${'['.repeat(90_000)}${']'.repeat(90_000)}`)).to.equal('too_deep');
  });

  it('is rejected before it is parsed if a key is so long that V8 compares it with others of its length', () => {
    expect(findFault(`{"${'k'.repeat(16_383)}":"${'v'.repeat(20_000)}"}`)).to.equal(undefined);
    expect(findFault(`{"${'k'.repeat(16_384)}" :1`)).to.equal('too_many_values');
    expect(findFault(`[{"a":["b"]},{"${'\\u006b'.repeat(3_000)}":1}]`)).to.equal('too_many_values');
  });

  it('may have any characters within strings', () => {
    const text = `${'{[:,'.repeat(100_000)}"\\\\"`;
    expect(read(JSON.stringify({ text })).value).to.deep.equal({ text });
    expect(findFault(`"${'\\'.repeat(200_001)}`)).to.equal('invalid');
  });

  it('is the same when another thread parses it', async () => {
    const thread = createDocumentThreads();
    const json = '{"__proto__":{"x":1},"\\ud800":["é",null,1.5,{"a":{}}],"constructor":true}';
    const reader = { accountId: 1, signal: new AbortController().signal };
    const here = read(json);
    const there = await thread.readJson(Buffer.from(json), reader);
    await thread.close();
    expect(JSON.stringify(there.value)).to.equal(JSON.stringify(here.value)).and.to.contain('__proto__');
    expect(Buffer.from(there.sha256)).to.deep.equal(Buffer.from(here.sha256));
  });
});
