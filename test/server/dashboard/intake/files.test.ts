import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import { sql } from 'kysely';
import { alertIn, fieldIn, useVisit, visit } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { countWaiting, untilWaiting } from '../../../support/locks.ts';
import { itOnOneServer } from '../../../support/postgres.ts';
import { useAccount, useService } from '../../../support/service.ts';
import { createZip } from '../../../support/workbook.ts';

describe('a file as the body of a request', () => {
  const service = useService();
  const account = useAccount(service, 20_000);
  const browser = useVisit(service, account);
  let token: string;

  before(async () => {
    const page = await browser.get('/');
    token = fieldIn(page.text, 'form_token');
  });

  const open = (fields: Record<string, string>) =>
    request(`${service.baseUrl}/file?${new URLSearchParams(fields)}`, {
      method: 'POST',
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        'X-Form-Token': token,
        'HX-Request': 'true',
        Cookie: `sonde_session=${browser.cookies.get('sonde_session')}`,
      },
    });
  const getAnswer = async (sending: ReturnType<typeof open>) => {
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, location: answer.headers.location, text: await textOf(answer) };
  };
  const send = (fields: Record<string, string>, body: string | Buffer) => {
    const sending = open(fields);
    sending.on('error', () => {});
    sending.end(body);
    return getAnswer(sending);
  };

  it('is read, previewed, and then charged as one submission', async () => {
    const rows = Array.from(
      { length: 4_001 },
      (_, number) => `https://indexed.example/${number}\t${number}\tÄ`,
    );
    const file = Buffer.from(`\ufeffAddress\tClicks\tTitel\n${rows.join('\n')}\n`, 'utf16le');
    const shown = await send({ check: 'read' }, file);
    expect(shown.text).to.contain('4,001 URLs').and.to.contain('Not used: Clicks, Titel');
    expect(shown.text).to.contain('3 batches of one submission');
    const hidden = [...shown.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
    const unseen = await send({ check: 'index', once: 'file' }, file);
    expect([unseen.status, /role="alert">([^<.:]*)/.exec(unseen.text)?.[1]]).to.deep.equal([
      422,
      'Review below how this table is read, then submit again',
    ]);
    const sent = await send({ check: 'index', once: 'file', ...fields }, file);
    expect(sent.status).to.equal(201);
    expect((await browser.get(sent.location ?? '')).text).to.contain('0 of 4,001 checked');
    expect(await service.credits(account.accountId)).to.equal(15_999);
  });

  it('names the files of a ZIP that are not read, and offers the pages of an index of sitemaps', async () => {
    const index = '<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>';
    const files = { 'index.xml': index, '1.xml': '<urlset><url>', 'photo.jpg': 'x' };
    const { text } = await send({ check: 'read' }, createZip(files));
    expect(text.replaceAll(/\s+/g, ' '))
      .to.contain('Not read: “1.xml”. This sitemap is incomplete: its end is missing. Download it again.')
      .and.to.contain('Not read: “photo.jpg”. In a ZIP, we read only text, CSV,')
      .and.to.contain('name="read_sitemap" value="https://a.example/1.xml"');
  });

  it('is limited to one per account at a time, and to 32 MB', async () => {
    const both = [open({ check: 'read' }), open({ check: 'read' })];
    const answers = both.map(async (sending, at) => {
      sending.on('error', () => {});
      sending.write('url\n');
      return { ...(await getAnswer(sending)), at };
    });
    // The order of two connections is not defined.
    const refused = await Promise.race(answers);
    expect(refused.status).to.equal(429);
    expect(refused.text).to.equal('Another file is being read. You were not charged. Try again in a moment.');
    both[1 - refused.at]?.end('https://indexed.example/\n');
    expect((await answers[1 - refused.at])?.text).to.contain('1 URL');

    const line = `${'x'.repeat(60_000)}\n`;
    const { status } = await send({ check: 'read' }, line.repeat(600));
    expect(status).to.equal(413);
  });

  it('is refused before it arrives while two lists of the account are in progress, but not for others', async () => {
    const line = 'https://indexed.example/\n';
    const openSmall = () => {
      const sending = open({ check: 'read' });
      sending.on('error', () => {});
      sending.setHeader('Content-Length', line.length);
      sending.write('h');
      return sending;
    };
    const held = Array.from({ length: 3 }, openSmall);
    const answers = held.map(async (sending, at) => ({ ...(await getAnswer(sending)), at }));
    const refused = await Promise.race(answers);
    expect([refused.status, refused.text]).to.deep.equal([
      429,
      'Other lists of your account are being read. You were not charged. Try again in a moment.',
    ]);
    const list = await browser.get(`/?from=${randomUUID()}`);
    expect([list.status, (await browser.get('/')).status]).to.deep.equal([429, 200]);
    expect((await browser.post('/settings/logo', {}, { from: '/settings' })).status).to.equal(429);
    const other = await (await visit(service, await service.account(1))).get(`/?from=${randomUUID()}`);
    expect(other.status).to.equal(200);
    for (const [at, sending] of held.entries()) if (at !== refused.at) sending.end(line.slice(1));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted()).to.deep.equal([200, 200, 429]);
  });

  it('frees its slot when the sender leaves at once', async () => {
    for (let nth = 0; nth < 5; nth++) {
      const leaving = open({ check: 'read' });
      leaving.on('error', () => {});
      leaving.write('u');
      const [socket] = (await once(leaving, 'socket')) as [Socket];
      if (socket.connecting) await once(socket, 'connect');
      setImmediate(() => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    const read = await eventually(async () => {
      const answer = await send({ check: 'read' }, 'url\nhttps://indexed.example/\n');
      return answer.status === 200 ? answer : null;
    });
    expect(read.text).to.contain('1 URL');
  });

  it('is limited to 2 MB in a form without a script, which keeps its other content', async () => {
    const file = Buffer.alloc(2 * 1024 * 1024 + 1, 'https://a.example/\n');
    const body = new FormData();
    for (const [name, value] of Object.entries({ form_token: token, check: 'read', text: 'typed' }))
      body.set(name, value);
    body.set('file', new File([file], 'large.txt'));
    const cookie = `sonde_session=${browser.cookies.get('sonde_session')}`;
    const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie };
    const answer = await fetch(service.baseUrl, { method: 'POST', body, headers });
    const text = await answer.text();
    expect([answer.status, alertIn(text)]).to.deep.equal([
      413,
      'Without JavaScript, files are limited to 2 MB. Split the file or remove columns.',
    ]);
    expect(text).to.contain('>typed</textarea>');
  });

  it('counts as part of the page that carries it to the next step', async () => {
    const carry = (bytes: number) => {
      const content = Buffer.alloc(bytes, 'https://a.example/\n').toString('base64');
      return browser.post('/', { check: 'read', file_name: 'list.txt', file_bytes: content });
    };
    const carried = await carry(2 * 1024 * 1024);
    expect([carried.status, fieldIn(carried.text, 'file_bytes').length]).to.deep.equal([200, 2_796_204]);
    const refused = await carry(2.5 * 1024 * 1024);
    expect([refused.status, refused.text.includes('too long for a form')]).to.deep.equal([413, true]);
  });

  it('must be sent by our page', async () => {
    token = 'another';
    expect((await send({ check: 'read' }, 'url\n')).status).to.equal(403);
  });
});

describe('the long lists of all accounts', () => {
  const service = useService();
  const createUrls = (length: number) =>
    Array.from({ length }, (_, nth) => `https://a.example/${'a'.repeat(50)}/${nth}`);

  /** Creates a monitor. Returns a function that opens the form with its list. */
  const monitor = async (entries: number) => {
    const owner = await service.account(0);
    const urls = createUrls(entries);
    const sent = { name: 'List', type: 'http', schedule: { every: 'day' }, urls };
    const { body } = await service.call('/monitors', { token: owner.token, body: sent });
    const visitor = await visit(service, owner);
    return () => visitor.get(`/?monitor=${body.monitor.monitor_id}`);
  };

  itOnOneServer('are shown one at a time, and short lists meanwhile', async () => {
    const [short, ...long] = [await monitor(2), await monitor(100), await monitor(100), await monitor(100)];
    const other = await visit(service, await service.account(0));
    const shown = await service.db.transaction().execute(async (trx) => {
      // The page lists the newest batches.
      await sql`lock table batches in access exclusive mode`.execute(trx);
      const answers = long.map((show) => show());
      await untilWaiting(service.db, 1);
      for (let nth = 0; nth < 10; nth++) expect((await other.get('/tokens')).status).to.equal(200);
      expect(await countWaiting(service.db)).to.equal(1);
      answers.push(short());
      await untilWaiting(service.db, 2);
      return answers;
    });
    expect((await Promise.all(shown)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
  });

  itOnOneServer('are checked one at a time', async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => service.account(100)));
    const visitors = await Promise.all(accounts.map((account) => visit(service, account)));
    const form = { check: 'http', text: createUrls(100).join('\n') };
    const begun = await service.db.transaction().execute(async (trx) => {
      await sql`lock table batches in exclusive mode`.execute(trx);
      const answers = visitors.map((visitor, nth) => visitor.post('/', { ...form, once: `long${nth}` }));
      await untilWaiting(service.db, 1);
      for (let nth = 0; nth < 10; nth++) expect((await visitors[0]?.get('/tokens'))?.status).to.equal(200);
      expect(await countWaiting(service.db)).to.equal(1);
      return answers;
    });
    expect((await Promise.all(begun)).map(({ status }) => status)).to.deep.equal([303, 303, 303]);
  });
});
