import { expect } from 'chai';
import * as sessions from '../../../db/accounts/sessions.ts';
import * as users from '../../../db/accounts/users.ts';
import { isRoleAtLeast, type Role } from '../../../schemas/members.ts';
import type { TestAccount } from '../../support/accounts.ts';
import { FormClient } from '../../support/dashboard.ts';
import { rightsOfPages } from '../../support/rights.ts';
import { TestService } from '../../support/service.ts';

/** What a page may ask for, by method and path; those of links and of forms that read are no acts. */
const posts = Object.entries(rightsOfPages)
  .filter(([route]) => route.startsWith('POST '))
  .map(([route, role]) => {
    const parts = route.slice('POST '.length).split('/');
    const pattern = parts.map((part) => (part.startsWith(':') ? '[^/]+' : part)).join('/');
    return { role, fits: new RegExp(`^${pattern}$`) };
  });

const monitor = { name: 'M', type: 'index', urls: ['https://example.com/'], schedule: { every: 'day' } };

describe('what a page offers', () => {
  let service: TestService;
  let account: TestAccount;
  let subjects: Record<string, string[]>;

  before(async () => {
    service = await TestService.start();
    account = await service.account(100);
    const make = async (path: string, body: object) =>
      (await service.call(path, { token: account.token, body })).body;
    // Over with something that was not checked and a webhook owed, and still at work.
    const skipped = {
      urls: ['none', 'https://example.com/'],
      on_invalid: 'skip',
      webhook_url: 'http://127.0.0.1:9/',
    };
    const over = await make('/check/bulk', skipped);
    await service.call(`/batch/${over.batch_id}/cancel`, { token: account.token, method: 'POST' });
    const submission_id = '5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11';
    const open = await make('/check/bulk', { urls: ['https://example.com/'], submission_id });
    subjects = {
      ':batch_id': [over.batch_id, open.batch_id],
      ':submission_id': [submission_id],
      ':monitor_id': [(await make('/monitors', monitor)).monitor.monitor_id],
    };
  });

  after(() => service.stop());

  /** Every page that a role may see, of each of its subjects, but for files and what is of no subject. */
  const pagesOf = (role: Role) =>
    Object.entries(rightsOfPages).flatMap(([route, needed]) => {
      const [method, path = ''] = route.split(' ');
      const isPage = method === 'GET' && needed !== 'anybody' && isRoleAtLeast(role, needed);
      if ((!isPage && path !== '/') || method !== 'GET' || /\.\w+$|subject_id/.test(path)) return [];
      const [name = ''] = /:\w+/.exec(path) ?? [];
      return name === '' ? [path] : (subjects[name] ?? []).map((id) => path.replace(name, id));
    });

  const offeredTo = async (role: Role) => {
    const email = `${role}@example.com`;
    const person = { accountId: account.accountId, email, passwordHash: null, role };
    const client = new FormClient(service.baseUrl);
    const userId = await users.create(service.db, person);
    client.cookies.set('sonde_session', await sessions.begin(service.db, userId));
    const offered = new Map<string, string>();
    for (const page of pagesOf(role)) {
      const { status, text } = await client.get(page);
      // A batch that has no earlier one, or no webhook, has no such page.
      if ([404, 409].includes(status) && /compare$|webhooks|address$/.test(page)) continue;
      expect(status, page).to.equal(200);
      for (const [tag, action] of text.matchAll(/<\w+[^>]*? (?:action|formaction|hx-post)="([^"]+)"[^>]*>/g))
        if (!/method="get"/.test(tag)) offered.set(action ?? '', page);
      for (const [, href = ''] of text.matchAll(/<a [^>]*?href="(\/[^"?#]*)/g))
        expect(isAllowed(role, `GET ${href}`), `${href} on ${page}`).to.equal(true);
    }
    return offered;
  };

  /** Of a link: whether it leads to a page that the role may see; what is in no table is not the dashboard's. */
  function isAllowed(role: Role, wanted: string): boolean {
    const needed = rightsOfPages[wanted];
    return needed === undefined || needed === 'anybody' || isRoleAtLeast(role, needed);
  }

  for (const role of ['viewer', 'member', 'owner'] as const) {
    it(`is to a ${role} what a ${role} may do, and nothing else`, async () => {
      const offered = await offeredTo(role);
      for (const [action, page] of offered) {
        const right = posts.find(({ fits }) => fits.test(action));
        if (!right) throw new Error(`${action} on ${page} is in no table`);
        const mayDo = right.role === 'anybody' || isRoleAtLeast(role, right.role);
        expect(mayDo, `${action} on ${page}`).to.equal(true);
      }
      // Of what others may, so that a page which offers nothing to anybody does not pass.
      const acts = ['/', '/credits/alert', '/webhooks/test', '/webhooks/rotate', '/members'];
      const expected = { viewer: [], member: ['/', '/webhooks/test'], owner: acts }[role];
      expect(acts.filter((act) => offered.has(act))).to.deep.equal(expected);
      const ofBatches = [...offered.keys()].filter((action) =>
        /^\/(batches|submissions|monitors)\//.test(action),
      );
      expect(ofBatches.length > 8).to.equal(role !== 'viewer');
    });
  }
});
