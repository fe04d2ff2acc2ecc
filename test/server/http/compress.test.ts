import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { useService } from '../../support/service.ts';

describe('text responses', () => {
  const service = useService({}, { worker: true });
  let token: string;
  let batchId: string;

  before(async () => {
    ({ token } = await service.account(500));
    const urls = Array.from({ length: 500 }, (_, n) => `https://indexed.example/${n}`);
    ({ batch_id: batchId } = (await service.call('/check/bulk', { token, body: { urls } })).body);
    await service.ended(token, batchId);
  });

  /** Returns the headers, and the bytes of the body as sent. */
  async function ask(path: string, encoding: string, method = 'GET') {
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': encoding };
    const request = get(`${service.baseUrl}${path}`, { headers, method });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    return { headers: response.headers, bytes: Buffer.concat(parts) };
  }

  it('are compressed with brotli or gzip, or not at all, as the caller accepts', async () => {
    const paths = ['', '/results.csv', '/results.ndjson'].map((end) => `/api/v1/batch/${batchId}${end}`);
    for (const path of [...paths, '/openapi.json', '/docs', '/docs/reference']) {
      const plain = await ask(path, 'identity');
      expect(plain.headers['content-encoding'], path).to.equal(undefined);
      const brotli = await ask(path, 'gzip, deflate, br');
      expect(brotli.headers, path).to.include({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes), path).to.equal(true);
      expect(brotli.bytes.length, path).to.be.below(plain.bytes.length / 2);
      const gzip = await ask(path, 'gzip');
      expect(gzip.headers['content-encoding'], path).to.equal('gzip');
      expect(gunzipSync(gzip.bytes).equals(plain.bytes), path).to.equal(true);
      expect((await ask(path, 'br', 'HEAD')).bytes.length, path).to.equal(0);
    }
  });

  it('are not compressed when short', async () => {
    const { headers, bytes } = await ask('/api/v1/credits', 'br');
    expect(headers['content-encoding']).to.equal(undefined);
    expect(headers['content-length']).to.equal(String(bytes.length));
  });
});
