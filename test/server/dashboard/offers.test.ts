import { expect } from 'chai';
import * as users from '../../../db/accounts/users.ts';
import { isRoleAtLeast, type Role } from '../../../schemas/members.ts';
import { visitAs } from '../../support/dashboard.ts';
import { rightsOfPages } from '../../support/rights.ts';
import { useAccount, useService } from '../../support/service.ts';

/** Actions that pages may offer: their paths, and the role that they need. Forms with GET are excluded. */
const posts = Object.entries(rightsOfPages)
  .filter(([route]) => route.startsWith('POST '))
  .map(([route, role]) => {
    const parts = route.slice('POST '.length).split('/');
    const pattern = parts.map((part) => (part.startsWith(':') ? '[^/]+' : part)).join('/');
    return { role, fits: new RegExp(`^${pattern}$`) };
  });

const monitor = { name: 'M', type: 'index', urls: ['https://example.com/'], schedule: { every: 'day' } };

describe('the actions on a page', () => {
  const service = useService();
  const account = useAccount(service, 100);
  let subjects: Record<string, string[]>;

  before(async () => {
    const make = async (path: string, body: object) =>
      (await service.call(path, { token: account.token, body })).body;
    // One batch has ended with an unchecked item and a pending webhook, one still runs.
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

  /** Returns every page that a role may see, for each subject, except files. */
  const listPages = (role: Role) =>
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
    const client = await visitAs(service, await users.create(service.db, person));
    const offered = new Map<string, string>();
    for (const page of listPages(role)) {
      const { status, text } = await client.get(page);
      // Batches without an earlier batch or a webhook, and accounts without a logo, do not have these pages.
      if ([404, 409].includes(status) && /compare$|webhooks|address$|logo$/.test(page)) continue;
      expect(status, page).to.equal(200);
      for (const [tag, action] of text.matchAll(/<\w+[^>]*? (?:action|formaction|hx-post)="([^"]+)"[^>]*>/g))
        if (!/method="get"/.test(tag)) offered.set(action ?? '', page);
      for (const [, href = ''] of text.matchAll(/<a [^>]*?href="(\/[^"?#]*)/g))
        expect(isAllowed(role, `GET ${href}`), `${href} on ${page}`).to.equal(true);
    }
    return offered;
  };

  /** Returns whether a link leads to a page that the role may see. */
  function isAllowed(role: Role, wanted: string): boolean {
    const needed = rightsOfPages[wanted];
    return needed === undefined || needed === 'anybody' || isRoleAtLeast(role, needed);
  }

  for (const role of ['viewer', 'member', 'owner'] as const) {
    it(`for the role ${role} are exactly its rights`, async () => {
      const offered = await offeredTo(role);
      for (const [action, page] of offered) {
        const right = posts.find(({ fits }) => fits.test(action));
        if (!right) throw new Error(`${action} on ${page} is missing in the table`);
        const mayDo = right.role === 'anybody' || isRoleAtLeast(role, right.role);
        expect(mayDo, `${action} on ${page}`).to.equal(true);
      }
      // The role must see these actions. Otherwise the test would also pass if no page offered anything.
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
