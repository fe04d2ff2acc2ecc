import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { runCommand, startCommand } from '../support/command.ts';
import { useService } from '../support/service.ts';
import { serve, type TestSite } from '../support/web.ts';

describe('sonde list, cancel, retry and sitemap', () => {
  const service = useService();

  const start = (args: string[], token?: string) => startCommand(args, { baseUrl: service.baseUrl, token });
  const sonde = (args: string[], token?: string) => runCommand(args, { baseUrl: service.baseUrl, token });

  it('cancel a batch, retry its refunded items, and list both batches', async () => {
    const { token, accountId } = await service.account(3);
    const body = { urls: ['https://a.example/1', 'https://a.example/2'], reference: 'red' };
    const { batch_id: id } = (await service.call('/check/bulk', { token, body })).body;
    const ended = await sonde(['cancel', id], token);
    expect([ended.code, ended.out]).to.deep.equal([
      0,
      `${id} has ended: 0 answered, 2 without an answer (refunded)\n`,
    ]);
    expect(await service.credits(accountId)).to.equal(3);
    const { out, problems, code } = await sonde(['retry', id], token);
    expect([code, problems]).to.deep.equal([
      0,
      `Retrying 2 entries. See the results with: sonde batch ${out.trim()} --watch\n`,
    ]);
    const lines = (await sonde(['list'], token)).out.trim().split('\n');
    expect(lines[0]).to.match(new RegExp(`^${out.trim()}  .{16}  index    pending         2`));
    expect(lines[1]).to.match(new RegExp(`^${id}  .{16}  index    failed          2  red$`));
    const failed = (await sonde(['list', 'failed', '--format', 'ndjson'], token)).out.trim().split('\n');
    expect(failed.map((line) => JSON.parse(line).batch_id)).to.deep.equal([id]);
    expect(await sonde(['cancel'], token)).to.include({
      code: 2,
      problems: 'sonde: The batch id is missing. sonde list shows your batches.\n',
    });
  });

  it('repeat the inputs of an ended batch with another type, and rename it', async () => {
    const { token } = await service.account(3);
    const { batch_id: id } = (
      await service.call('/check/bulk', { token, body: { urls: ['https://a.example/1'] } })
    ).body;
    expect((await sonde(['again', id], token)).code).to.equal(2);
    await sonde(['cancel', id], token);
    const { out, problems, code } = await sonde(['again', id, '--type', 'http', '--show', 'failed'], token);
    expect([code, problems]).to.deep.equal([
      0,
      `Checking 1 entry again. See the results with: sonde batch ${out.trim()} --watch\n`,
    ]);
    expect((await sonde(['name', id, 'October', 'crawl'], token)).code).to.equal(0);
    const lines = (await sonde(['list'], token)).out.trim().split('\n');
    expect(lines[0]).to.match(/ {2}http {5}pending/);
    expect(lines[1]).to.match(/ {2}October crawl$/);
    expect((await sonde(['name', id], token)).code).to.equal(2);
  });

  it('read a plain or compressed sitemap or a sitemap index without a token, or report an error', async () => {
    const loc = (...addresses: string[]) => addresses.map((each) => `<url><loc>${each}</loc></url>`).join('');
    const child = (name: string) => `<sitemap><loc>${site.url}/${name}</loc></sitemap>`;
    const pages: Record<string, () => string | Buffer> = {
      '/one.xml': () => `<urlset>${loc('https://a.example/?a=1&amp;b=2')}</urlset>`,
      '/two.xml.gz': () => gzipSync(`<urlset>${loc(' https://a.example/2 ')}</urlset>`),
      '/index.xml': () => `<sitemapindex>${['one.xml', 'two.xml.gz'].map(child).join('')}</sitemapindex>`,
      '/torn.xml': () =>
        `<sitemapindex>${['none', 'page', 'broken.xml', 'one.xml'].map(child).join('')}</sitemapindex>`,
      '/broken.xml': () => `<urlset>${loc('https://a.example/3')}<url><loc>https://a.exa`,
      '/deep.xml': () => `<sitemapindex>${child('deeper.xml')}</sitemapindex>`,
      '/deeper.xml': () => `<sitemapindex>${child('deepest.xml')}</sitemapindex>`,
      '/deepest.xml': () => `<sitemapindex>${child('deep.xml')}${child('one.xml')}</sitemapindex>`,
      '/page': () => '<html>',
    };
    const site: TestSite = await serve((req, res) => {
      const page = pages[req.url ?? ''];
      res.writeHead(page ? 200 : 404).end(page?.());
    });
    const read = await sonde(['sitemap', `${site.url}/index.xml`]);
    expect(read).to.deep.equal({
      out: 'https://a.example/?a=1&b=2\nhttps://a.example/2\n',
      problems: '',
      code: 0,
    });
    for (const [path, says] of [
      ['/page', 'is not a sitemap.'],
      ['/none', 'answered with status 404.'],
    ]) {
      const { code, problems } = await sonde(['sitemap', `${site.url}${path}`]);
      expect([code, problems]).to.deep.equal([2, `sonde: ${site.url}${path} ${says}\n`]);
    }
    expect(await sonde(['sitemap', `${site.url}/torn.xml`])).to.deep.equal({
      out: 'https://a.example/3\nhttps://a.example/?a=1&b=2\n',
      problems: [
        `sonde: ${site.url}/none answered with status 404.`,
        `sonde: ${site.url}/page is not a sitemap.`,
        `sonde: ${site.url}/broken.xml is damaged or incomplete. URLs before the fault were read.`,
        '',
      ].join('\n'),
      code: 5,
    });
    expect(await sonde(['sitemap', `${site.url}/deep.xml`])).to.deep.include({
      problems: `sonde: ${site.url}/deepest.xml was not read. Indexes are read two levels deep.\n`,
      code: 5,
    });
    await site.close();
  });

  it('exit quietly when the output is closed', async () => {
    const { token } = await service.account(0);
    for (const args of [['--help'], ['credits'], ['list']]) {
      const child = start(args, token);
      child.stdout.destroy();
      const [problems, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      expect([args, problems, code]).to.deep.equal([args, '', 0]);
    }
  });
});
