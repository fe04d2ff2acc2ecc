import { expect } from 'chai';
import * as sessions from '../../db/accounts/sessions.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import { type Role, roles } from '../../schemas/members.ts';
import { operations } from '../../schemas/openapi.ts';
import { getRight } from '../../schemas/operations/rights.ts';
import { type Scope, scopes } from '../../schemas/scopes.ts';
import { rightsOfOperations, rightsOfPages } from '../support/rights.ts';
import { pageRoutes } from '../support/routes.ts';
import { useService } from '../support/service.ts';

const more: Record<Role, number> = { viewer: 0, member: 1, owner: 2 };
const wider: Record<Scope, number> = { read: 0, check: 1, manage: 2 };
const secured = operations.filter(({ isOpen }) => !isOpen);

describe('rights', () => {
  const service = useService();
  let accountId: number;
  let people: Record<Role, number>;

  before(async () => {
    accountId = (await service.account(0)).accountId;
    const made = roles.map(async (role) => {
      const person = { accountId, email: `${role}@example.com`, passwordHash: null, role };
      return [role, await users.create(service.db, person)];
    });
    people = Object.fromEntries(await Promise.all(made));
  });

  /** Sends a request without valid subjects: an authorized one gets an error about these. */
  const attempt = (token: string, { method, path }: { method: string; path: string }) =>
    service.call(pathWithoutSubject(path.replace('/api/v1', '')), { token, method: method.toUpperCase() });

  it('of every operation match the table and the document', () => {
    const documented = secured.map((one) => [one.id, [getRight(one).scope, getRight(one).role]]);
    expect(Object.fromEntries(documented)).to.deep.equal(rightsOfOperations);
  });

  it('are the scope of the token and the present role of its creator, on every operation', async () => {
    for (const role of roles) {
      for (const scope of scopes) {
        // Tries each role with the widest scope, and each scope with the owner's role.
        if (role !== 'owner' && scope !== 'manage') continue;
        const token = await tokens.issue(service.db, accountId, 'tried', { userId: people[role], scope });
        for (const operation of secured) {
          const [neededScope, neededRole] = rightsOfOperations[operation.id] ?? [];
          if (!neededScope || !neededRole) throw new Error(`${operation.id} is missing in the table`);
          const mayDo = wider[scope] >= wider[neededScope] && more[role] >= more[neededRole];
          const { status, body } = await attempt(token, operation);
          const what = `${operation.id} by ${role} with ${scope}: ${status}`;
          if (mayDo) expect(status, what).to.not.equal(403);
          else expect([status, body.error], what).to.deep.equal([403, 'insufficient_scope']);
        }
      }
    }
  });

  it('of a token without a creator are those of an owner', async () => {
    const token = await tokens.issue(service.db, accountId, 'the operator’s');
    for (const operation of secured) {
      expect((await attempt(token, operation)).status, operation.id).to.not.equal(403);
    }
  });

  it('are checked before the body is read, for HEAD as for GET, with or without a slash at the end', async () => {
    const token = await tokens.issue(service.db, accountId, 'reader', { scope: 'read' });
    expect((await service.call('/check', { token, raw: '{' })).status).to.equal(403);
    for (const path of ['/webhooks/secret', '/webhooks/secret/', '/webhooks/secret?x=1']) {
      for (const method of ['GET', 'HEAD']) {
        const headers = { Authorization: `Bearer ${token}` };
        const { status } = await fetch(`${service.baseUrl}/api/v1${path}`, { method, headers });
        expect(status, `${method} ${path}`).to.equal(403);
      }
    }
    for (const path of ['/webhooks/%73ecret', '/Webhooks/secret', '//api/v1/./webhooks//secret']) {
      expect((await service.call(path, { token })).status, path).to.not.equal(200);
    }
  });

  it('on the dashboard match the table, on every route', async () => {
    const routes = pageRoutes(service);
    expect(routes.map(({ method, path }) => `${method} ${path}`)).to.have.members(Object.keys(rightsOfPages));
    for (const role of roles) {
      const session = await sessions.begin(service.db, people[role]);
      for (const { method, path } of routes) {
        const needed = rightsOfPages[`${method} ${path}`] ?? 'owner';
        const mayDo = needed === 'anybody' || more[role] >= more[needed];
        const { status, text } = await visit(path, method, `sonde_session=${session}`);
        const isRefused = status === 403 && /Only an owner|read-only access/.test(text);
        expect(isRefused, `${method} ${path} by ${role}: ${status}`).to.equal(!mayDo);
      }
    }
    for (const { method, path } of routes) {
      const needed = rightsOfPages[`${method} ${path}`];
      const { status, location } = await visit(path, method, '');
      const isSentToSignIn = status === 303 && location?.startsWith('/sign-in');
      // Some pages for anybody also lead there, such as the second step of sign-in.
      if (needed !== 'anybody') expect(isSentToSignIn, `${method} ${path}: ${status}`).to.equal(true);
    }
  });

  async function visit(path: string, method: string, cookie: string) {
    const response = await fetch(`${service.baseUrl}${pathWithoutSubject(path)}`, {
      method,
      redirect: 'manual',
      headers: { Cookie: cookie },
    });
    const { status, headers } = response;
    return { status, location: headers.get('location'), text: await response.text() };
  }
});

function pathWithoutSubject(path: string): string {
  return path
    .replace(/(\{batch_id\}|:batch_id|:submission_id)/, '00000000-0000-4000-8000-000000000000')
    .replace(/(\{\w+\}|:\w+)/g, '999999999');
}
