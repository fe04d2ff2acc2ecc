import type { Request, RequestHandler, Response } from 'express';
import * as acts from '../../../accounts/invitations.ts';
import { type InvitationKey, parseKey } from '../../../db/accounts/invitations.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import * as users from '../../../db/accounts/users.ts';
import { inTransaction, type Trx } from '../../../db/postgres/connect.ts';
import { createInvitationKey } from '../../../mail/templates/invitation.ts';
import { createLinkTokens } from '../../../mail/tokens.ts';
import { invitationRoleTexts } from '../../../schemas/members.ts';
import { getClientAddress } from '../../http/address.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { getForm } from '../forms.ts';
import { type Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { createAuthorization, findSession, findSessionId } from '../visitors.ts';
import { beginSession } from './begin-session.ts';
import { credentialsRemovedText, requireAcceptablePassword } from './credentials.ts';

const title = 'Invitation';

/** The page of an invitation link. GET shows the invitation, and POST accepts it. */
export function invitationPages(context: DashboardContext) {
  const { db, signInAttempts, config } = context;
  const tokens = [config.secretKey, config.previousSecretKey]
    .filter((key) => key !== null)
    .map((key) => createLinkTokens(key, null));

  const show: RequestHandler = (req, res) => page(req, res, readKey(req.query.key));

  const accept: RequestHandler = async (req, res) => {
    const key = readKey(getForm(req).text('key'));
    try {
      await enter(req, res, key);
    } catch (error) {
      await page(req, res, key, toRefusal(error));
    }
  };

  async function page(req: Request, res: Response, key: InvitationKey, refusal?: Refusal): Promise<void> {
    const found = await acts.findOpenInvitation(db, key);
    if (!found) throw acts.invalidInvitation();
    // The URL contains the key, which must not reach other sites.
    res.set('Referrer-Policy', 'no-referrer');
    const session = findSession(req);
    const isTheirs = session?.email.toLowerCase() === found.invitation.email.toLowerCase();
    const data = { ...found, asRole: invitationRoleTexts[found.invitation.role], key, isTheirs };
    await showPage(context, req, res, { view: 'invitation', title, data, refusal });
  }

  async function enter(req: Request, res: Response, key: InvitationKey): Promise<void> {
    const session = findSession(req);
    const before = findSessionId(req);
    const address = getClientAddress(req);
    const found = await acts.findOpenInvitation(db, key);
    if (!found) throw acts.invalidInvitation();
    const isMailed = tokens.some((made) => createInvitationKey(made, found.invitation) === key);
    const joining = { key, address, isMailed };
    if (session && before) {
      const join = async (trx: Trx) => {
        const joined = await acts.joinAccount(trx, context, joining, session.userId);
        if (!joined.areCredentialsRevoked) await sessions.switchAccount(trx, before, joined.accountId);
        return joined;
      };
      const revokesFrom = [`user ${session.userId}`] as const;
      const { accountId, areCredentialsRevoked } = await inOpenAccount(
        db,
        createAuthorization(req, 'viewer'),
        join,
        {
          revokesFrom,
        },
      );
      if (areCredentialsRevoked) {
        setFlash(context, res, { tone: 'good', text: credentialsRemovedText });
        return beginSession(context, req, res, session.userId, '/', { continuesIn: accountId });
      }
      return res.redirect(303, '/');
    }
    const password = getForm(req).raw('password');
    requireAcceptablePassword(password, found.invitation.email);
    // Limits how often a client can cause the costly hashing.
    await signInAttempts.countNewEmail(req);
    const passwordHash = await users.hashPassword(password);
    const { accountId, userId } = await inTransaction(db, (trx) =>
      acts.signUpByInvitation(trx, context, joining, passwordHash),
    );
    await beginSession(context, req, res, userId, '/', { continuesIn: accountId });
  }

  return { show, accept };
}

function readKey(text: unknown): InvitationKey {
  const key = parseKey(String(text ?? ''));
  if (!key) throw acts.invalidInvitation();
  return key;
}
