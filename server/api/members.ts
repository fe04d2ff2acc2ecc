import type { Request, RequestHandler } from 'express';
import { parseEmail } from '../../accounts/email.ts';
import { invite } from '../../accounts/invitations.ts';
import {
  type ChangedMember,
  changeRole,
  findMemberToChange,
  removeFromAccount,
  requireRoleChangeAllowed,
} from '../../accounts/members.ts';
import * as invitations from '../../db/accounts/invitations.ts';
import * as memberships from '../../db/accounts/memberships.ts';
import { parseId } from '../../schemas/id.ts';
import { InvitationRequest, MemberChangeRequest } from '../../schemas/person.ts';
import { invitationBody, memberBody, revokedAccessBody } from '../../wire/person-bodies.ts';
import type { Context } from '../context.ts';
import { getActor, getCaller } from '../http/authenticate.ts';
import { notFound, validationError } from '../http/errors.ts';
import { answerOnce } from '../http/idempotency.ts';
import { createValidator } from '../http/validate.ts';

const readInvitation = createValidator(InvitationRequest);
const readChange = createValidator(MemberChangeRequest);

export function memberRoutes(context: Context) {
  const { db, config } = context;

  const listMembers: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const data = (await memberships.list(db, accountId)).map(memberBody);
    const invited = await invitations.list(db, accountId);
    res.json({ success: true, data, invitations: invited.map(invitationBody) });
  };

  const inviteMember: RequestHandler = async (req, res) => {
    const { email: given, role } = readInvitation(req.body);
    const { accountId } = getCaller(req);
    const email = parseEmail(given.trim());
    if (email === null)
      throw validationError({ email: ['Must be an email address such as you@example.com.'] });
    await answerOnce(context, req, res, {
      run: (trx) => invite(trx, context, { accountId, email, role, by: getActor(req) }),
      status: 201,
      toBody: ({ key, invitation }) => ({
        ...invitationBody(invitation),
        link: key && toInvitationUrl(config.web.baseUrl, key),
      }),
    });
  };

  const changeMember: RequestHandler = async (req, res) => {
    const { role } = readChange(req.body);
    const subject = getSubject(req);
    await answerOnce(context, req, res, {
      prepare: () => requireRoleChangeAllowed(context, subject, role),
      revokesFrom: [`user ${subject.userId}`],
      run: (trx) => changeRole(trx, subject, role),
      toBody,
    });
  };

  const removeMember: RequestHandler = async (req, res) => {
    const subject = getSubject(req);
    await answerOnce(context, req, res, {
      prepare: () => findMemberToChange(db, subject),
      revokesFrom: [`user ${subject.userId}`],
      run: (trx) => removeFromAccount(trx, subject),
      toBody,
    });
  };

  return { listMembers, inviteMember, changeMember, removeMember };
}

const toBody = (member: ChangedMember) => ({
  ...memberBody(member),
  voided: revokedAccessBody(member.revoked),
});

export function toInvitationUrl(baseUrl: string, key: invitations.InvitationKey): string {
  return `${baseUrl}/invitation?key=${key}`;
}

function getSubject(req: Request) {
  const userId = parseId(req.params.member_id);
  if (userId === null) throw notFound('No member with this id in your account.');
  return { accountId: getCaller(req).accountId, userId, by: getActor(req) };
}
