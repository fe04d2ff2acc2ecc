import { expect } from 'chai';
import { sql } from 'kysely';
import * as invitations from '../../../db/accounts/invitations.ts';
import * as steps from '../../../db/accounts/sign-in-steps.ts';
import * as users from '../../../db/accounts/users.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { FormClient, fieldIn, visitAs } from '../../support/dashboard.ts';
import { useService } from '../../support/service.ts';
import { pathIn } from '../../support/smtp.ts';

type Page = Awaited<ReturnType<FormClient['get']>>;

const password = 'correct horse';

describe('errors of form fields', () => {
  const service = useService({ SIGNUP: 'open' }, { worker: true, mails: true });
  let accountId: number;
  let userId: number;
  let browser: FormClient;

  before(async () => {
    accountId = (await service.account(0)).accountId;
    const passwordHash = await users.hashPassword(password);
    userId = await users.create(service.db, { accountId, email: 'ada@example.com', passwordHash });
    await users.create(service.db, { accountId, email: 'taken@example.com', passwordHash });
    await sql`update users set email_confirmed_at = now()`.execute(service.db);
    browser = await visitAs(service, userId);
  });

  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  /** Returns the errors of a page by field, their accessible descriptions, and the focused field. */
  function parseErrors({ status, text }: Page) {
    const tags = [...text.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].map(([tag]) => tag);
    const getAttribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
    const said = tags
      .filter((tag) => tag.includes('aria-invalid="true"'))
      .map((tag) => {
        expect(tag.match(/ aria-describedby=/g), tag).to.have.length(1);
        const ids = getAttribute(tag, 'aria-describedby').split(' ');
        const words = ids.map((id) => new RegExp(` id="${id}"[^>]*>([^<]*)`).exec(text)?.[1]);
        expect(tag).to.contain(' autofocus');
        return [getAttribute(tag, 'name'), words[0]];
      });
    expect(tags.filter((tag) => tag.includes(' autofocus'))).to.have.length(1);
    expect(text).not.to.match(/class="notice bad" role="alert">/);
    return {
      status,
      said,
      values: new Map(tags.map((tag) => [getAttribute(tag, 'name'), getAttribute(tag, 'value')])),
    };
  }

  /** Sends an invalid form. Expects the error at one field, and the other values kept. */
  async function refused(
    client: FormClient,
    path: string,
    fields: Record<string, string>,
    { status = 422, from, at, words }: { status?: number; from?: string; at: string; words: RegExp },
  ): Promise<Page> {
    const page = await client.post(path, fields, { from });
    const faults = parseErrors(page);
    expect([path, faults.status, faults.said.map(([name]) => name)]).to.deep.equal([path, status, [at]]);
    expect(faults.said[0]?.[1]).to.match(words);
    for (const [name, value] of Object.entries(fields))
      if (!/password|^token$|^key$|^code$|scope|days|which|is_test|role/.test(name))
        expect([name, faults.values.get(name)]).to.deep.equal([name, value]);
    for (const [name, value] of faults.values)
      if (/password/.test(name)) expect([name, value]).to.deep.equal([name, '']);
    return page;
  }

  it('are shown at the field: sign-up, link request, reset and invitation', async () => {
    const client = new FormClient(service.baseUrl);
    await refused(client, '/sign-up', { email: 'a@b', password }, { at: 'email', words: /^Enter an email/ });
    const short = { email: 'new@example.com', password: 'short' };
    const page = await refused(client, '/sign-up', short, { at: 'password', words: /10 to 200/ });
    expect(page.text).to.contain('aria-describedby="password-fault password-hint"');
    await refused(
      client,
      '/forgot',
      { email: 'a@example.com\nb' },
      { at: 'email', words: /^Enter an email/ },
    );
    await refused(client, '/sign-in/link', { email: 'a@@b.co' }, { at: 'email', words: /^Enter an email/ });
    await client.post('/forgot', { email: 'ada@example.com' });
    const link = pathIn(await service.mails.mailTo('ada@example.com'));
    const token = link.split('token=')[1] ?? '';
    const next = { token, new_password: 'short' };
    const reset = await refused(client, '/reset', next, {
      from: link,
      at: 'new_password',
      words: /10 to 200/,
    });
    expect(reset.text)
      .to.contain('The new password ends all your sessions')
      .and.to.contain('id="new-password-hint">At least 10 characters, such as four unrelated words.');
    const asked = { accountId, email: 'grace@example.com', role: 'member', invitedBy: null } as const;
    const { key } = await inTransaction(service.db, (trx) => invitations.create(trx, asked));
    const joining = { key, password: 'short' };
    const from = `/invitation?key=${key}`;
    await refused(client, '/invitation', joining, { from, at: 'password', words: /10 to 200/ });
  });

  it('are shown at the field in the settings, where the other forms stay closed', async () => {
    const change = (fields: Record<string, string>, said: { status?: number; at: string; words: RegExp }) =>
      refused(browser, '/settings/password', fields, said);
    const email = 'other@example.com';
    const wrong = { status: 403, at: 'password', words: /^The current password/ };
    await change({ email, password: 'a guess' }, wrong);
    const { text } = await change(
      { email: 'a,b@example.com', password },
      { at: 'email', words: /^Enter an email/ },
    );
    for (const hint of [
      'aria-describedby="email-fault email-hint"',
      'id="email-hint">To change your email address, follow the link that we send to the new address',
      'aria-describedby="new-password-hint"',
      'id="new-password-hint">At least 10 characters, such as four unrelated words. Leave empty',
    ])
      expect(text).to.contain(hint);
    const short = { email: 'ada@example.com', password, new_password: 'short' };
    await change(short, { at: 'new_password', words: /10 to 200/ });
    await sql`truncate sign_in_tries`.execute(service.db);
    const deleting = await refused(browser, '/settings/delete', { password: 'a guess' }, wrong);
    expect(deleting.text).to.match(/<details class="confirm" open><summary class="danger">Delete/);
  });

  it('are shown at the field for second factors', async () => {
    const from = '/settings/second-factor';
    const asked = { status: 403, at: 'password', words: /^The current password is wrong/ };
    const forms: Array<[path: string, fields: Record<string, string>, summary: string]> = [
      ['app', {}, 'Add…'],
      ['passkey', { name: 'Laptop' }, 'Add a passkey…'],
    ];
    for (const [path, fields, summary] of forms) {
      const wrong = { ...fields, password: 'a guess' };
      const { text } = await refused(browser, `${from}/${path}`, wrong, asked);
      expect(text.match(/<details class="confirm" open><summary>[^<]*/g)).to.deep.equal([
        `<details class="confirm" open><summary>${summary}`,
      ]);
    }
    const { text } = await browser.post(`${from}/app`, { password });
    expect(text).to.match(/name="code"[^>]* autofocus/);
    const key = fieldIn(text, 'key');
    const fields = { code: '000000', key };
    await refused(browser, `${from}/app/confirm`, fields, { at: 'code', words: /wrong or has expired/ });
    const waiting = new FormClient(service.baseUrl);
    waiting.cookies.set('sonde_step', await steps.begin(service.db, userId, '/'));
    await refused(
      waiting,
      '/sign-in/second',
      { code: '123456' },
      { status: 401, at: 'code', words: /already used/ },
    );
  });

  it('are shown at the field for tokens, members, webhooks and credits', async () => {
    const name = 'Nightly';
    const tokens: Array<[fields: Record<string, string>, at: string, words: RegExp]> = [
      [{ name: ' \u0007', credits_per_month: '5' }, 'name', /^Give the token a name/],
      [{ name, scope: 'all' }, 'scope', /^Scope must be one of/],
      [{ name, days: '7' }, 'days', /^Choose how long/],
      [{ name, credits_per_month: '-1' }, 'credits_per_month', /^Enter a whole number/],
      [{ name, credits_per_month: '5', is_test: 'on' }, 'credits_per_month', /^A test token/],
    ];
    for (const [fields, at, words] of tokens)
      if (at === 'name')
        expect((await browser.post('/tokens', fields)).text).to.match(/aria-describedby="name-fault"/);
      else await refused(browser, '/tokens', fields, { at, words });
    const kept = await browser.post('/tokens', {
      name,
      scope: 'read',
      days: '30',
      credits_per_month: 'x',
      is_test: 'on',
    });
    for (const part of [
      'value="read" selected',
      'value="30" selected',
      'name="is_test" checked',
      'class="more" open',
    ])
      expect(kept.text).to.contain(part);
    const { rows } = await sql`select from api_tokens where user_id = ${userId}`.execute(service.db);
    expect(rows).to.deep.equal([]);
    await refused(
      browser,
      '/members',
      { email: 'taken@example.com', role: 'viewer' },
      { at: 'email', words: /already/ },
    );
    const receiver = { url: 'http://10.0.0.1/' };
    await refused(browser, '/webhooks/test', receiver, {
      at: 'url',
      words: /its host is private/,
    });
    const alert = { threshold: '-5', webhook_url: '' };
    await refused(browser, '/credits/alert', alert, { at: 'threshold', words: /./ });
  });
});
