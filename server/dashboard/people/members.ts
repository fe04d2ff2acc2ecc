import type { Request, RequestHandler, Response } from 'express';
import { invite, revokeInvitation } from '../../../accounts/invitations.ts';
import {
  type ChangedMember,
  changeRole,
  prepareRoleChange,
  remove,
  requireMember,
} from '../../../accounts/members.ts';
import { isProofMissing } from '../../../accounts/proof.ts';
import { describeVoided } from '../../../accounts/void-rights.ts';
import * as invitations from '../../../db/accounts/invitations.ts';
import * as memberships from '../../../db/accounts/memberships.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import type { Trx } from '../../../db/postgres/connect.ts';
import { type Role, roles } from '../../../schemas/members.ts';
import { linkTo } from '../../api/members.ts';
import { idOf } from '../../api/tokens.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { readEmail } from '../entrance/people.ts';
import { setFlash } from '../flash.ts';
import { formOf } from '../forms.ts';
import { Refusal, toFieldRefusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { actorOf, authorizationOf, sessionIdOf, sessionOf } from '../visitors.ts';

/** Who is in the account, and the accounts that one is in. */
export function memberPages(context: DashboardContext) {
  const { db, config, cookies } = context;

  const show: RequestHandler = (req, res) => page(req, res);

  async function page(req: Request, res: Response, refusal?: Refusal): Promise<void> {
    const { accountId, userId } = sessionOf(req);
    const typed = refusal ? formOf(req) : null;
    const data = {
      members: await memberships.list(db, accountId),
      invitations: await invitations.list(db, accountId),
      roles,
      isProofMissing: await isProofMissing(db, context.mail, userId),
      typed: { email: typed?.text('email') ?? '', role: typed?.text('role') ?? 'member' },
    };
    await showPage(context, req, res, { view: 'members', title: 'Members', data, refusal });
  }

  const inviteOne: RequestHandler = async (req, res) => {
    const { accountId } = sessionOf(req);
    try {
      const email = readEmail(formOf(req).text('email'));
      const asked = { accountId, email, role: readRole(req), by: actorOf(req) };
      const { key } = await inOpenAccount(db, authorizationOf(req), (trx) => invite(trx, context, asked));
      const link = key && linkTo(config.web.baseUrl, key);
      const text = link
        ? `Hand this link to ${email}. It is good for 7 days, and shown this once.`
        : `A mail with a link goes to ${email}. It is good for 7 days.`;
      setFlash(context, res, { tone: 'good', text, ...(link ? { secret: link } : {}) });
    } catch (error) {
      return page(req, res, toFieldRefusal(error, ['email', 'role']));
    }
    res.redirect(303, '/members');
  };

  const takeBack: RequestHandler = async (req, res) => {
    await told(res, '/members', async () => {
      const { accountId } = sessionOf(req);
      const id = idOf(req.params.invitation_id);
      if (id === null) throw notFound('There is no such invitation in your account.');
      const { email } = await inOpenAccount(db, authorizationOf(req), (trx) =>
        revokeInvitation(trx, { accountId, by: actorOf(req) }, id),
      );
      setFlash(context, res, { tone: 'good', text: `The invitation of ${email} is taken back.` });
    });
  };

  const change: RequestHandler = async (req, res) => {
    await told(res, '/members', async () => {
      const subject = subjectOf(req);
      const wanted = readRole(req);
      await prepareRoleChange(context, subject, wanted);
      const takesFrom = [`user ${subject.userId}`] as const;
      const change = (trx: Trx) => changeRole(trx, subject, wanted);
      const { email, role, voided } = await inOpenAccount(db, authorizationOf(req), change, { takesFrom });
      const text = `${email} is ${role} from now on. ${describeVoided(voided)}`.trimEnd();
      setFlash(context, res, { tone: 'good', text });
    });
  };

  const removeOne: RequestHandler = async (req, res) => {
    await told(res, '/members', async () => {
      const subject = subjectOf(req);
      const { email, voided } = await removeMember(req, subject);
      const text = `${email} is not in the account any more. ${describeVoided(voided)}`.trimEnd();
      setFlash(context, res, { tone: 'good', text });
    });
  };

  async function removeMember(req: Request, subject: ReturnType<typeof subjectOf>): Promise<ChangedMember> {
    await requireMember(db, subject);
    const takesFrom = [`user ${subject.userId}`] as const;
    return inOpenAccount(db, authorizationOf(req), (trx) => remove(trx, subject), { takesFrom });
  }

  /** Leaves the account. The next sign-in continues in another account, if any. */
  const leave: RequestHandler = async (req, res) => {
    await told(res, '/sign-in', async () => {
      const { accountId, userId } = sessionOf(req);
      await removeMember(req, { accountId, userId, by: actorOf(req) });
      cookies.clear(res, 'session');
    });
  };

  /** Switches to another account of the user. */
  const enterAccount: RequestHandler = async (req, res) => {
    const { userId } = sessionOf(req);
    const wanted = idOf(formOf(req).text('account'));
    const all = await memberships.accountsOf(db, userId);
    const found = all.find(({ accountId }) => accountId === wanted);
    const sessionId = sessionIdOf(req);
    if (!found || !sessionId) throw notFound('There is no such account among yours.');
    await inOpenAccount(db, authorizationOf(req), (trx) =>
      sessions.enterAccount(trx, sessionId, found.accountId),
    );
    res.redirect(303, '/');
  };

  async function told(res: Response, next: string, act: () => Promise<void>): Promise<void> {
    let to = next;
    try {
      await act();
    } catch (error) {
      setFlash(context, res, { tone: 'bad', text: toRefusal(error).message });
      to = '/members';
    }
    res.redirect(303, to);
  }

  return { show, invite: inviteOne, takeBack, change, remove: removeOne, leave, enterAccount };
}

function readRole(req: Request): Role {
  const found = roles.find((role) => role === formOf(req).text('role'));
  if (!found) throw new Refusal(422, `The role is one of ${roles.join(', ')}.`, { field: 'role' });
  return found;
}

function subjectOf(req: Request) {
  const userId = idOf(req.params.member_id);
  if (userId === null) throw notFound('No member with this id is in your account.');
  return { accountId: sessionOf(req).accountId, userId, by: actorOf(req) };
}
