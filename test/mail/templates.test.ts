import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { parse } from 'node-html-parser';
import * as invitations from '../../db/accounts/invitations.ts';
import * as users from '../../db/accounts/users.ts';
import * as alerts from '../../db/ledger/credit-alerts.ts';
import type { NamedRun } from '../../db/monitors/monitor-runs.ts';
import * as runs from '../../db/monitors/monitor-runs.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { enqueueMail, type MailRequest } from '../../mail/enqueue.ts';
import { toHtml } from '../../mail/layout.ts';
import { summarise, toSubject } from '../../mail/templates/monitor-runs.ts';
import { type TemplateName, templates } from '../../mail/templates.ts';
import type { ChangeKind } from '../../schemas/change-kinds.ts';
import { afterTest } from '../support/after-test.ts';
import { rankAnswer, rankQuery } from '../support/answers.ts';
import { monitored } from '../support/monitored.ts';
import { TestService } from '../support/service.ts';

/** How a request for each template names its recipient, such as by the address of a user. See `mail` below. */
const recipients: Record<TemplateName, 'address' | 'user' | 'both' | 'nobody' | 'invited' | 'owner'> = {
  reset: 'address',
  sign_in: 'address',
  confirm: 'both',
  address_taken: 'address',
  new_email: 'nobody',
  email_changed: 'address',
  account_deleted: 'address',
  password_changed: 'user',
  factor_added: 'user',
  factor_removed: 'user',
  recovery_code_used: 'user',
  credits_low: 'user',
  invitation: 'invited',
  monitor_runs: 'owner',
};

describe('mail templates', () => {
  it('arrive complete: one subject, two equivalent texts, with links to BASE_URL only', async () => {
    const service = await TestService.start({}, { worker: true, mails: true });
    afterTest(() => service.stop());
    const boss = await service.boss();
    const { accountId } = await service.account(0);
    // Without a threshold, the mail would have no content.
    await inTransaction(service.db, (trx) => alerts.change(trx, accountId, { threshold: 5 }));
    const asked = {
      accountId,
      email: 'asked@example.com',
      role: 'member',
      invitedBy: 'ada@example.com',
    } as const;
    const made = await inTransaction(service.db, (trx) => invitations.create(trx, asked));
    const url = 'https://example.com/';
    const watched = await monitored(service, accountId, 'index', [{ url }]);
    const runId = randomUUID();
    await inTransaction(service.db, (trx) =>
      runs.create(trx, {
        ...{ accountId, runId, monitorId: watched.monitorId, kind: 'check', status: 'skipped' },
        ...{ reason: 'insufficient_credits', finishedAt: new Date() },
      }),
    );
    const { baseUrl } = service.config.web;
    for (const template of Object.keys(templates) as TemplateName[]) {
      const email = `${template}@example.com`;
      const userId = await users.create(service.db, { accountId, email, passwordHash: null });
      const fresh = `new-${email}`;
      const mail: MailRequest = {
        address: { template, address: email },
        user: { template, userId, accountId },
        both: { template, userId, address: email },
        nobody: { template, userId, address: fresh },
        invited: {
          template,
          accountId,
          address: asked.email,
          ids: { invitation_id: made.invitation.invitationId },
        },
        owner: { template, userId, accountId, ids: { about: runId } },
      }[recipients[template]];
      await inTransaction(service.db, (trx) => enqueueMail(trx, { boss, mail: 'smtp' }, mail));
      const { headers, text, html } = await service.mails.mailTo(mail.address ?? email);
      expect(headers.get('subject'), template).to.match(/^[A-Z][\w :]{8,60}$/);
      expect(html, template)
        .to.contain(`<h1 class="h"`)
        .and.contain(`>${headers.get('subject')}</h1>`);
      expect(text, template).to.contain(`-- \nSonde, ${baseUrl}`);
      // Every paragraph and address of the plain text is in the HTML.
      const plain = html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      const lines = text.split('-- \n')[0]?.split('\n').filter(Boolean) ?? [];
      expect(lines.length, template).to.be.greaterThan(0);
      // A fact is one line of the text and two cells of the HTML.
      const said = lines.flatMap((line) => line.replace(/^(- | +)|:$/g, '').split(': '));
      // The links of both are the same.
      const unlinked = plain.replaceAll(/<a class="l"[^>]*>([^<]*)<\/a>/g, '$1');
      for (const words of said)
        expect(/^http\S*$/.test(words) ? plain : unlinked, template).to.contain(words);
      for (const [address] of text.split('-- \n')[0]?.matchAll(/https?:\/\/\S*[^\s.,]/g) ?? [])
        expect(plain, template).to.contain(`href="${address}"`);
      for (const [address] of html.matchAll(/https?:\/\/[^"<\s]+/g))
        expect(address.startsWith(baseUrl), `${template}: ${address}`).to.equal(true);
    }
  });
});

describe('the digest of runs', () => {
  it('has a table of the moves that change the visibility most, and names the first in its subject', async () => {
    const service = await TestService.start({}, { worker: true, mails: true });
    afterTest(() => service.stop());
    const boss = await service.boss();
    const { accountId } = await service.account(0);
    const userId = await service.confirmedUser(accountId, 'owner@example.com');
    const others = Array.from({ length: 21 }, (_, number) => `other ${number}`);
    const inputs = ['far', 'lost', 'near <b> www.example.com', ...others].map((keyword) =>
      rankQuery({ keyword, device: keyword === 'lost' ? 'mobile' : 'desktop' }),
    );
    const monitor = await monitored(service, accountId, 'keyword', inputs, { confirmLosses: false });
    const { monitorId } = monitor;
    const day = (number: number) => new Date(Date.UTC(2026, 0, number));
    const ranks = [90, 5, 1, ...others.map((_, number) => 40 + number)];
    await monitor.run(
      day(1),
      ranks.map((rank) => rankAnswer(rank)),
    );
    const { runId } = await monitor.run(
      day(2),
      [50, null, 15, ...others.map((_, number) => 30 + number)].map((rank) => rankAnswer(rank)),
    );
    await inTransaction(service.db, async (trx) => {
      // A run that was skipped needs no charge.
      const run = {
        accountId,
        runId,
        monitorId,
        kind: 'check',
        status: 'skipped',
        reason: 'overlap',
      } as const;
      await runs.create(trx, { ...run, finishedAt: new Date() });
      const mail: MailRequest = { template: 'monitor_runs', userId, accountId, ids: { about: runId } };
      await enqueueMail(trx, { boss, mail: 'smtp' }, mail);
    });
    const { text, html } = await service.mails.mailTo('owner@example.com');
    const subject = parse(html).querySelector('h1')?.text.replaceAll('\u2060', '');
    expect(subject).to.equal('“near <b> www.example.com” dropped from #1 to #15, and 23 more changes');
    expect(html).to.not.contain('<b>');
    const rows = parse(html)
      .querySelectorAll('table:not([role]) tr')
      .map((row) => row.querySelectorAll('th, td').map((cell) => cell.text.replaceAll('\u2060', '')));
    expect(rows.slice(0, 4)).to.deep.equal([
      ['Keyword', 'Before', 'Now', 'Page'],
      ['near <b> www.example.com (US, desktop)', '#1', '#15', '/shoes'],
      ['lost (US, mobile)', '#5', 'not ranked', ''],
      ['far (US, desktop)', '#90', '#50', '/shoes'],
    ]);
    expect(rows).to.have.length(21);
    expect(text.replaceAll('\u2060', '')).to.contain(
      '- lost (US, mobile)\n  Before: #5, Now: not ranked\n- far (US, desktop)\n  Before: #90, Now: #50, Page: /shoes\n',
    );
    const more = `${service.config.web.baseUrl}/monitors/${monitorId}/changes`;
    expect(text).to.contain(`And 4 more: ${more}`);
    expect(html).to.contain(`href="${more}"`);
  });

  it('says the most important fact in its subject', () => {
    const named = { ...ended, name: 'Shop' };
    const toText = (run: Partial<NamedRun>, kinds: Array<{ kind: ChangeKind; changes: number }> = []) =>
      toSubject(
        [ended, { ...named, ...run }],
        kinds.map((one) => ({ ...one, monitorId: 'm' })),
        [],
      );
    const counts = [
      { kind: 'title_changed', changes: 3 },
      { kind: 'unreachable', changes: 1 },
    ] as const;
    expect([
      toText({}),
      toText({ sitemapDoubtful: true }),
      toText({ status: 'skipped', reason: 'overlap' }),
      toText({ status: 'failed' }),
      toText({}, [counts[0]]),
      toText({ status: 'failed' }, [...counts]),
      toText({ ...unaffordable, monitorPausedReason: 'insufficient_credits' }, [...counts]),
    ]).to.deep.equal([
      'Your monitors found no changes',
      'Check the sitemap: Shop',
      'Run skipped: Shop',
      'Run failed: Shop',
      'Shop: The title changed (3)',
      'Shop: The URL is no longer reachable (1)',
      'Monitor paused: Shop',
    ]);
  });

  const ended: NamedRun = {
    ...{ monitorId: 'm', name: 'Shop', status: 'completed', reason: null, monitorPausedReason: null },
    ...{ sitemapDoubtful: false, leftOut: 0 },
  };
  const failed: NamedRun = { ...ended, status: 'failed' };
  const overlap: NamedRun = { ...ended, status: 'skipped', reason: 'overlap' };
  const unaffordable: NamedRun = { ...ended, status: 'skipped', reason: 'insufficient_credits' };

  it('says what happened in runs without changes', () => {
    const summaries: Record<string, NamedRun[]> = {
      'No changes.': [ended, ended],
      'Not checked: all checks of 1 run failed and were refunded.': [failed, ended],
      'Not checked: all checks of 2 runs failed and were refunded.': [failed, failed],
      'The sitemap could not be read, was empty, or lost more than half of its URLs. The previous list was used. Check the sitemap.':
        [{ ...ended, sitemapDoubtful: true }, ended],
      '1 URL of the sitemap was not checked.': [{ ...ended, leftOut: 1 }],
      '1,000 URLs of the sitemap were not checked.': [
        { ...ended, leftOut: 12 },
        { ...ended, leftOut: 1000 },
      ],
      '1 run skipped: The previous run was still running.': [overlap],
      '2 runs skipped: The previous run was still running. Your balance did not cover the run. Nothing was charged.':
        [overlap, unaffordable],
      '1 run skipped: Your balance did not cover the run. Nothing was charged. Paused: your credits did not cover three runs in a row. It resumes automatically when they cover a run.':
        [{ ...unaffordable, monitorPausedReason: 'insufficient_credits' }],
    };
    for (const [summary, runs] of Object.entries(summaries)) expect(summarise(runs, [])).to.equal(summary);
  });

  it('lists changes first', () => {
    const counted = [
      { kind: 'title_changed', changes: 3 },
      { kind: 'indexed', changes: 1 },
    ] as const;
    expect(summarise([ended, overlap], counted)).to.equal(
      "The title changed (3). The URL is now in Google's index (1). 1 run skipped: The previous run was still running.",
    );
  });
});

describe('the layout of mails', () => {
  const baseUrl = 'https://sonde.example';

  it('creates links for our own addresses in paragraphs, and for no others', () => {
    const ours = [`${baseUrl}/forgot`, `${baseUrl}/a?b=1&c=2`, baseUrl];
    const others = ['https://other.example/', `${baseUrl}.other.example/`, `${baseUrl}@other.example/`];
    const followed = [...ours, ...others].flatMap((address) => {
      const said = `See ${address}, or ask <i>.`;
      const letter = {
        to: 'ada@example.com',
        subject: 'S',
        parts: [{ text: said }, { small: `${address}.` }],
      };
      const html = toHtml(letter, { baseUrl, unsubscribeUrl: null });
      expect(html).to.contain('or ask &lt;i&gt;.');
      return [...html.matchAll(/class="l"[^>]* href="([^"]*)"/g)].map(([, href]) => href);
    });
    const twice = ours.flatMap((address) => [address, address]);
    expect(followed).to.deep.equal(twice.map((address) => address.replace('&', '&amp;')));
  });
});
