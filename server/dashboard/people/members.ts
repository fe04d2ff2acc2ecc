import type { Request, RequestHandler, Response } from 'express';
import { isEmailUnconfirmed } from '../../../accounts/confirmed-email.ts';
import { invite, revokeInvitation } from '../../../accounts/invitations.ts';
import {
  type ChangedMember,
  changeRole,
  findMemberToChange,
  removeFromAccount,
  requireRoleChangeAllowed,
} from '../../../accounts/members.ts';
import { describeRevoked } from '../../../accounts/revoke-access.ts';
import * as invitations from '../../../db/accounts/invitations.ts';
import * as memberships from '../../../db/accounts/memberships.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import type { Trx } from '../../../db/postgres/connect.ts';
import { parseId } from '../../../schemas/id.ts';
import { type Role, roles } from '../../../schemas/members.ts';
import { toInvitationUrl } from '../../api/members.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { flashResult, setFlash } from '../flash.ts';
import { getForm } from '../forms.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { readEmail } from '../sign-in/credentials.ts';
import { findSessionId, getActor, getAuthorization, getSession } from '../visitors.ts';

export function memberPages(context: DashboardContext) {
  const { db, config, cookies } = context;

  const show: RequestHandler = (req, res) => page(req, res);

  async function page(req: Request, res: Response, refusal?: Refusal): Promise<void> {
    const { accountId, userId } = getSession(req);
    const typed = refusal ? getForm(req) : null;
    const data = {
      members: await memberships.list(db, accountId),
      invitations: await invitations.list(db, accountId),
      roles,
      isEmailUnconfirmed: await isEmailUnconfirmed(db, context.mail, userId),
      typed: { email: typed?.text('email') ?? '', role: typed?.text('role') ?? 'member' },
    };
    await showPage(context, req, res, { view: 'members', title: 'Members', data, refusal });
  }

  const inviteOne: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    try {
      const email = readEmail(getForm(req).text('email'));
      const asked = { accountId, email, role: readRole(req), by: getActor(req) };
      const { key } = await inOpenAccount(db, getAuthorization(req), (trx) => invite(trx, context, asked));
      const link = key && toInvitationUrl(config.web.baseUrl, key);
      const text = link
        ? `Send this link to ${email}. It works for 7 days and is shown only once.`
        : `We sent an invitation to ${email}. It works for 7 days.`;
      setFlash(context, res, { tone: 'good', text, ...(link ? { secret: link } : {}) });
    } catch (error) {
      return page(req, res, toRefusal(error, { fields: ['email', 'role'] }));
    }
    res.redirect(303, '/members');
  };

  const revoke: RequestHandler = async (req, res) => {
    await redirectAfter(res, async () => {
      const { accountId } = getSession(req);
      const id = parseId(req.params.invitation_id);
      if (id === null) throw notFound('No invitation with this id in your account.');
      const { email } = await inOpenAccount(db, getAuthorization(req), (trx) =>
        revokeInvitation(trx, { accountId, by: getActor(req) }, id),
      );
      return `Invitation for ${email} revoked.`;
    });
  };

  const change: RequestHandler = async (req, res) => {
    await redirectAfter(res, async () => {
      const subject = readMember(req);
      const wanted = readRole(req);
      await requireRoleChangeAllowed(context, subject, wanted);
      const revokesFrom = [`user ${subject.userId}`] as const;
      const change = (trx: Trx) => changeRole(trx, subject, wanted);
      const { email, role, revoked } = await inOpenAccount(db, getAuthorization(req), change, {
        revokesFrom,
      });
      return `${email} now has the role ${role}. ${describeRevoked(revoked)}`.trimEnd();
    });
  };

  const removeOne: RequestHandler = async (req, res) => {
    await redirectAfter(res, async () => {
      const subject = readMember(req);
      const { email, revoked } = await removeMember(req, subject);
      return `${email} was removed from the account. ${describeRevoked(revoked)}`.trimEnd();
    });
  };

  async function removeMember(req: Request, subject: ReturnType<typeof readMember>): Promise<ChangedMember> {
    await findMemberToChange(db, subject);
    const revokesFrom = [`user ${subject.userId}`] as const;
    return inOpenAccount(db, getAuthorization(req), (trx) => removeFromAccount(trx, subject), {
      revokesFrom,
    });
  }

  /** Removes the user from the account. The next sign-in opens another account of the user, if there is one. */
  const leave: RequestHandler = async (req, res) => {
    const { accountId, userId } = getSession(req);
    try {
      await removeMember(req, { accountId, userId, by: getActor(req) });
    } catch (error) {
      setFlash(context, res, { tone: 'bad', text: toRefusal(error).message });
      return res.redirect(303, '/members');
    }
    cookies.clear(res, 'session');
    res.redirect(303, '/sign-in');
  };

  const enterAccount: RequestHandler = async (req, res) => {
    const { userId } = getSession(req);
    const wanted = parseId(getForm(req).text('account'));
    const all = await memberships.listAccounts(db, userId);
    const found = all.find(({ accountId }) => accountId === wanted);
    const sessionId = findSessionId(req);
    if (!found || !sessionId) throw notFound('You are not a member of this account.');
    await inOpenAccount(db, getAuthorization(req), (trx) =>
      sessions.switchAccount(trx, sessionId, found.accountId),
    );
    res.redirect(303, '/');
  };

  async function redirectAfter(res: Response, action: () => Promise<string>): Promise<void> {
    await flashResult(context, res, action);
    res.redirect(303, '/members');
  }

  return { show, invite: inviteOne, revoke, change, remove: removeOne, leave, enterAccount };
}

function readRole(req: Request): Role {
  const found = roles.find((role) => role === getForm(req).text('role'));
  if (!found) throw new Refusal(422, `Role must be one of ${roles.join(', ')}.`, { field: 'role' });
  return found;
}

function readMember(req: Request) {
  const userId = parseId(req.params.member_id);
  if (userId === null) throw notFound('No member with this id in your account.');
  return { accountId: getSession(req).accountId, userId, by: getActor(req) };
}
