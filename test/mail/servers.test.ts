import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { toHtml, toText } from '../../mail/layout.ts';
import { createMailer } from '../../mail/mailer.ts';
import { toPlainName, toPlainPath } from '../../mail/plain-name.ts';
import { createSmtpMailer, type MailMessage } from '../../mail/smtp.ts';
import { afterTest } from '../support/after-test.ts';
import { serveSockets } from '../support/raw-server.ts';
import { serveMails } from '../support/smtp.ts';

const from = 'Sonde <hello@sonde.example>';
const run = promisify(execFile);

const certificate = (name: string) =>
  readFileSync(new URL(`../support/certificates/${name}`, import.meta.url));

const mail: MailMessage = {
  to: 'ada@example.com',
  subject: 'A subject\r\nBcc: everybody@example.com',
  text: 'text',
  html: '<p>text</p>',
  messageId: '<1@sonde.example>',
  headers: {
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': '<https://sonde.example/unsubscribe?token=1>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
};

/** Starts a server that calls `talk` for each line that it receives. Without `greet`, it does not begin with 220. */
async function serveLines(talk: (socket: Socket, line: string) => void, greet = true) {
  const { port, close } = await serveSockets((socket) => {
    if (greet) socket.write('220 here\r\n');
    socket.on('data', (data) => {
      for (const line of String(data).split('\r\n').filter(Boolean)) talk(socket, line);
    });
  });
  return { url: `smtp://127.0.0.1:${port}`, close };
}

const polite = (socket: Socket, line: string) => {
  if (/^EHLO/.test(line)) socket.write('250 here\r\n');
  else if (/^(MAIL|RCPT)/.test(line)) socket.write('250 fine\r\n');
  else if (line === 'DATA') socket.write('354 go on\r\n');
};

describe('mail servers', () => {
  const tryAt = async (url: string) => createSmtpMailer({ url, from, dkim: null }).send(mail);

  it('that close at DATA, do not answer or do not exist are retried', async () => {
    const cutting = await serveLines((socket, line) =>
      line === 'DATA' ? socket.destroy() : polite(socket, line),
    );
    const cutLate = await serveLines((socket, line) =>
      line === '.' ? socket.destroy() : polite(socket, line),
    );
    const silent = await serveLines(() => {});
    const unwelcoming = await serveLines(polite, false);
    const hurried = (url: string, what: string) => `${url}/?${what}=200`;
    try {
      const results = [
        await tryAt(cutting.url),
        await tryAt(cutLate.url),
        await tryAt(hurried(silent.url, 'socketTimeout')),
        await tryAt(hurried(unwelcoming.url, 'greetingTimeout')),
        await tryAt('smtp://127.0.0.1:9'),
        await tryAt('smtp://nowhere.invalid:25'),
      ];
      for (const result of results) {
        expect(result.state).to.equal('deferred');
        expect('error' in result && result.error.length).to.be.greaterThan(5);
      }
    } finally {
      for (const { close } of [cutting, cutLate, silent, unwelcoming]) await close();
    }
  });

  it('that have answered 250 have the mail, whatever follows', async () => {
    for (const then of [
      (socket: Socket) => socket.end(),
      (socket: Socket) => socket.resetAndDestroy(),
      () => {},
    ]) {
      const server = await serveLines((socket, line) => {
        if (line === '.') socket.write('250 taken\r\n');
        // QUIT gets no answer, or the connection is closed.
        else if (line === 'QUIT') then(socket);
        else polite(socket, line);
      });
      expect(await tryAt(server.url)).to.deep.equal({ state: 'sent' });
      await server.close();
    }
    const leaving = await serveLines((socket, line) =>
      line === '.' ? socket.end('250 taken\r\n') : polite(socket, line),
    );
    expect(await tryAt(leaving.url)).to.deep.equal({ state: 'sent' });
    await leaving.close();
  });

  it('may reject temporarily with a 4xx or permanently with a 5xx, and disable the address only if they name it', async () => {
    const answers: Array<[at: string, code: number, expected: object]> = [
      ['RCPT', 451, { state: 'deferred' }],
      ['RCPT', 550, { state: 'refused', isRecipientRefused: true }],
      ['MAIL', 550, { state: 'refused', isRecipientRefused: false }],
      ['.', 554, { state: 'refused', isRecipientRefused: false }],
      ['.', 452, { state: 'deferred' }],
    ];
    for (const [at, code, expected] of answers) {
      const server = await serveLines((socket, line) =>
        line.startsWith(at) && (at !== '.' || line === '.')
          ? socket.write(`${code} no\r\n`)
          : polite(socket, line),
      );
      expect(await tryAt(server.url)).to.include(expected);
      await server.close();
    }
  });

  it('that reject our password are retried, because the mail is not the cause', async () => {
    const server = await serveMails({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error('no such user')),
    });
    const refused = await tryAt(server.url.replace('smtp://', 'smtp://user:wrong@'));
    await server.close();
    expect(refused).to.include({ state: 'deferred' });
    expect('error' in refused && refused.error).to.not.contain('wrong');
  });

  it('get nothing without TLS outside this machine, with any options in the URL, and the mail waits', async () => {
    const server = await serveMails();
    afterTest(() => server.close());
    // The URL of the same server, with an address that is not recognised as loopback.
    const away = server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]');
    for (const wish of [
      '',
      '/?requireTLS=false',
      '/?ignoreTLS=true',
      '/?opportunisticTLS=true',
      '/?secure=false',
    ]) {
      const result = await tryAt(away + wish);
      expect([wish, result.state, 'error' in result && result.error.slice(0, 4)]).to.deep.equal([
        wish,
        'deferred',
        'ETLS',
      ]);
    }
    expect(server.received).to.deep.equal([]);
    expect(await tryAt(server.url)).to.deep.equal({ state: 'sent' });
  });

  it('with an invalid certificate get nothing, unless the operator accepts it', async () => {
    for (const name of ['self-signed.pem', 'expired.pem', 'wrong-name.pem']) {
      const own = { cert: certificate(name), key: certificate('leaf.key') };
      const server = await serveMails({ disabledCommands: [], ...own });
      const away = server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]');
      expect([name, (await tryAt(away)).state]).to.deep.equal([name, 'deferred']);
      expect(server.received).to.deep.equal([]);
      expect(await tryAt(`${away}/?tls.rejectUnauthorized=false`)).to.deep.equal({ state: 'sent' });
      expect(server.received.map(({ isOverTls }) => isOverTls)).to.deep.equal([true]);
      await server.close();
    }
  });

  it('get a signature that an independent library verifies, including the one-click headers', async function () {
    const verify = `import dkim,sys\nraw=sys.stdin.buffer.read()\nkey=sys.argv[1].encode()
print(dkim.verify(raw, dnsfunc=lambda name, timeout=5: b'v=DKIM1; k=rsa; p='+key))`;
    const python = await run('/usr/bin/python3', ['-c', 'import dkim']).then(
      () => true,
      () => false,
    );
    if (!python) {
      console.log('      skipped: python3-dkim is not installed');
      this.skip();
    }
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const server = await serveMails();
    const dkim = { domain: 'sonde.example', selector: 'mail', privateKey: pem };
    expect(await createSmtpMailer({ url: server.url, from, dkim }).send(mail)).to.deep.equal({
      state: 'sent',
    });
    await server.close();
    const [received] = server.received;
    expect(received?.headers.get('subject')).to.equal('A subject Bcc: everybody@example.com');
    expect(received?.to).to.deep.equal(['ada@example.com']);
    expect(received?.headers.get('dkim-signature')?.toLowerCase()).to.match(/h=[^;]*list-unsubscribe-post/);
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const verdictOn = async (raw: string) => {
      const child = run('/usr/bin/python3', ['-c', verify, key]);
      child.child.stdin?.end(Buffer.from(raw, 'utf8'));
      return (await child).stdout.trim();
    };
    expect(await verdictOn(received?.raw ?? '')).to.equal('True');
    expect(await verdictOn((received?.raw ?? '').replace('One-Click', 'Two-Click'))).to.equal('False');
  });

  it('get no mails when the key of the signature is invalid', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    for (const key of [pem, '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----']) {
      const smtp = {
        url: 'smtp://127.0.0.1:9',
        from,
        dkim: { domain: 'a.example', selector: 'b', privateKey: key },
      };
      expect(() => createMailer(smtp, false)).to.throw(/^DKIM_PRIVATE_KEY is not an RSA key/);
    }
  });
});

describe('names given by users', () => {
  it('appear in a mail as one short line without a link', () => {
    const names = [
      'Visit https://evil.example/x now',
      'www.evil.example',
      'a@b.example',
      'x'.repeat(100),
      'two\r\nlines\u202e',
      '<b>bold</b>',
    ];
    for (const name of names) {
      const clean = toPlainName(name);
      expect([...clean.replaceAll('\u2060', '')].length).to.be.at.most(60);
      expect(clean).not.to.match(/:\/\/|\w\.\w|\w@\w|[\r\n\u202e]/);
    }
    const paths = ['/', '/shoes/red-2.html', '/shop/list.php?id=1', '/shoes?color=red#top'];
    for (const path of paths) expect(toPlainPath(`https://www.example.com${path}`)).to.equal(path);
    for (const path of [
      '/www.evil.example',
      '/?to=https://evil.example/',
      '/a@b.example',
      '/evil.html.example',
    ])
      expect(toPlainPath(`https://www.example.com${path}`)).to.equal('');
    expect(toPlainPath(`https://example.com/${'x'.repeat(99)}`)).to.have.length(60);
    const letter = { to: 'a@example.com', subject: 'S', parts: [{ text: '<b>bold</b>' }] };
    const footer = { baseUrl: 'https://sonde.example', unsubscribeUrl: null };
    expect(toHtml(letter, footer)).to.contain('&lt;b&gt;bold');
    expect(toText(letter, footer)).to.contain('<b>bold</b>');
  });
});
