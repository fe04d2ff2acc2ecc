import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import express from 'express';
import { unchanging } from '../../../server/http/unchanging.ts';
import { serve, type TestSite } from '../../support/web.ts';

describe('a text that is the same for everybody', () => {
  const text = JSON.stringify(Array.from({ length: 1000 }, (_, n) => ({ n })));
  const made: string[] = [];
  let site: TestSite;

  before(async () => {
    const { send } = unchanging(Buffer.from(text), async (encoding, body) => {
      made.push(encoding);
      return encoding === 'br' ? brotliCompressSync(body) : gzipSync(body);
    });
    site = await serve(express().get('/', (req, res) => send(req, res.type('json'))));
  });

  after(() => site.close());

  it('is compressed once in each way that is asked for, however many ask', async () => {
    const accepted = ['br', 'gzip, br', 'gzip', 'gzip;q=0.5, br;q=0', 'deflate', 'identity'];
    const answers = await Promise.all(
      [...accepted, ...accepted].map((encoding) =>
        fetch(site.url, { headers: { 'Accept-Encoding': encoding } }),
      ),
    );
    const ways = answers.map(({ headers }) => headers.get('content-encoding'));
    const expected = ['br', 'br', 'gzip', 'gzip', null, null];
    expect(ways).to.deep.equal([...expected, ...expected]);
    for (const answer of answers) {
      expect(answer.headers.get('vary')).to.equal('Accept-Encoding');
      expect(await answer.text()).to.equal(text);
    }
    expect(made.toSorted()).to.deep.equal(['br', 'gzip']);
  });
});
