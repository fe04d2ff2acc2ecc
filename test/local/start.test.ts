import type { ChildProcess } from 'node:child_process';
import { readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as users from '../../db/accounts/users.ts';
import { connect } from '../../db/postgres/connect.ts';
import { afterTest } from '../support/after-test.ts';
import { FormClient } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { backendEnv, borrowDatabase } from '../support/postgres.ts';
import { startProcess } from '../support/processes.ts';
import { scratchFolder } from '../support/scratch.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Links the source tree into a new folder, so that the start does not use the .data folder of the original. */
async function treeApart(): Promise<string> {
  const folder = await scratchFolder('start');
  const names = (await readdir(root)).filter((name) => !name.startsWith('.'));
  await Promise.all(names.map((name) => symlink(join(root, name), join(folder, name))));
  return folder;
}

describe('npm start without a mail server', () => {
  it('prints sign-in links on its terminal, once each, and shows them nowhere else', async () => {
    const { url, giveBack } = await borrowDatabase();
    afterTest(() => giveBack());
    const folder = await treeApart();
    afterTest(() => rm(folder, { recursive: true }));
    const port = await freePort();
    const printed: string[] = [];
    const logged: string[] = [];
    const listen = ({ stdout, stderr }: ChildProcess) => {
      stdout?.on('data', (part) => printed.push(String(part)));
      stderr?.on('data', (part) => logged.push(String(part)));
    };
    const started = await startProcess(
      ['--preserve-symlinks', '--preserve-symlinks-main', join(folder, 'start.ts')],
      { DATABASE_URL: url, PORT: String(port), LOG_LEVEL: 'debug', ...backendEnv },
      /Ctrl-C stops everything/,
      { onSpawn: listen, logFile: join(folder, 'said.log') },
    );
    afterTest(() => started.stop());
    const { db, close } = connect(url, 2, () => {});
    afterTest(() => close());
    expect(started.said).not.to.contain('your data stays in .data');
    const [token = ''] = /sonde_[A-Za-z0-9]{20,}/.exec(started.said) ?? [];
    const baseUrl = `http://localhost:${port}`;
    const me = await fetch(`${baseUrl}/api/v1/me`, { headers: { Authorization: `Bearer ${token}` } });
    const { account_id: accountId } = (await me.json()) as { account_id: number };
    const email = 'ada@example.com';
    await users.create(db, { accountId, email, passwordHash: null });
    const browser = new FormClient(baseUrl);
    const linksTo = (path: string) =>
      [...printed.join('').matchAll(/Link for (\S+) \(not emailed[^\n]*\n +(\S+)/g)].filter(([, , link]) =>
        link?.startsWith(`${baseUrl}${path}?token=`),
      );
    const pages: string[] = [];
    for (const [asked, followed] of [
      ['/forgot', '/reset'],
      ['/sign-in/link', '/sign-in/link/follow'],
    ] as const) {
      expect((await browser.get(asked)).text).to.contain('printed in the terminal');
      // An address without an account comes first. If it got a link, the link would be printed before the expected
      // one.
      for (const address of ['nobody@example.com', email]) {
        const { status, text } = await browser.post(asked, { email: address });
        expect(status).to.equal(200);
        expect(text).to.contain('Check the terminal').and.contain('printed in the terminal');
        pages.push(text);
      }
      const [[, to, link = ''] = []] = await eventually(async () => {
        const found = linksTo(followed);
        return found.length > 0 ? found : null;
      });
      expect(to).to.equal(email);
      const { pathname, search } = new URL(link);
      expect((await browser.get(pathname + search)).status).to.equal(200);
      expect(linksTo(followed)).to.have.length(1);
    }
    const secrets = [...printed.join('').matchAll(/token=([\w-]{43})/g)].map(([, secret]) => secret ?? '');
    expect(secrets).to.have.length(2);
    const { rows } = await sql<{ dump: string }>`
      select string_agg(mails::text, ' ') || (select string_agg(mail_links::text, ' ') from mail_links)
        || (select string_agg(data::text, ' ') from pgboss.job) as dump from mails`.execute(db);
    const elsewhere = [...pages, ...logged, rows[0]?.dump ?? ''].join('\n');
    expect(elsewhere).to.contain('reset');
    expect(secrets.filter((secret) => elsewhere.includes(secret))).to.deep.equal([]);
  });
});
