import { mock } from 'node:test';
import { brotliCompressSync, constants, deflateSync, gzipSync, InflateRaw } from 'node:zlib';
import { expect } from 'chai';
import { decodeContent } from '../../net/content-coding.ts';

const mebibyte = 1024 * 1024;
const zeros = Buffer.alloc(64 * mebibyte);
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 } };

describe('decodeContent', () => {
  afterEach(() => mock.restoreAll());

  for (const [coding, bomb] of Object.entries({
    gzip: gzipSync(zeros),
    br: brotliCompressSync(zeros, quick),
    'gzip, gzip': gzipSync(gzipSync(zeros)),
    'br, gzip': gzipSync(brotliCompressSync(zeros, quick)),
    'gzip, br': brotliCompressSync(gzipSync(zeros), quick),
  })) {
    it(`cuts a decompression bomb (${coding}) at the limit`, async () => {
      expect((await decodeContent(bomb, coding, mebibyte)).content.length).to.equal(mebibyte);
    });
  }

  it('decodes no layer beyond the limit', async () => {
    let decoded = 0;
    const { push } = InflateRaw.prototype;
    mock.method(InflateRaw.prototype, 'push', function (this: InflateRaw, part: Buffer | null) {
      decoded += part?.length ?? 0;
      return push.call(this, part);
    });
    // The inner body is 4 MiB of noise, so that the outer layer alone exceeds the limit.
    const noise = Buffer.from(Array.from({ length: 4 * mebibyte }, () => Math.random() * 256));
    await decodeContent(gzipSync(gzipSync(noise)), 'gzip, gzip', mebibyte);
    expect(decoded)
      .to.be.above(mebibyte)
      .and.below(2.2 * mebibyte);
  });

  const text = Buffer.from(Array.from({ length: 20_000 }, (_, n) => `line ${n * 7919}`).join('\n'));
  for (const [coding, encoded] of Object.entries({
    gzip: gzipSync(text),
    deflate: deflateSync(text),
    br: brotliCompressSync(text, quick),
    'gzip, gzip': gzipSync(gzipSync(text)),
  })) {
    it(`distinguishes ${coding} that ends early from a complete one, and keeps the received part`, async () => {
      const half = await decodeContent(encoded.subarray(0, encoded.length / 2), coding, mebibyte);
      expect(half.isWhole).to.equal(false);
      expect(half.content.length).to.be.above(text.length / 4);
      expect(text.subarray(0, half.content.length).equals(half.content)).to.equal(true);
      for (const whole of [encoded, Buffer.concat([encoded, Buffer.from('more')])]) {
        const { content, isWhole } = await decodeContent(whole, coding, mebibyte);
        expect([isWhole, content.equals(text)]).to.deep.equal([true, true]);
      }
      const plain = Buffer.from('https://a/');
      expect(await decodeContent(plain, coding, mebibyte)).to.deep.equal({ content: plain, isWhole: true });
    });
  }

  for (const [name, bytes] of Object.entries({
    empty: Buffer.alloc(0),
    'cut in the header': gzipSync('hello').subarray(0, 5),
    'cut in the file name': Buffer.from('1f8b08080000000000036161', 'hex'),
    'cut in the extra field': Buffer.from('1f8b0804000000000003ffff61', 'hex'),
    'cut before the length of the extra field': Buffer.from('1f8b0804000000000003ff', 'hex'),
  })) {
    it(`accepts a gzip body that is ${name}`, async () => {
      expect((await decodeContent(bytes, 'gzip', 100)).content.length).to.be.at.most(bytes.length);
    });
  }
});
