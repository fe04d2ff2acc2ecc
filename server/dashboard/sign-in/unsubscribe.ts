import express, { type RequestHandler } from 'express';
import { find } from '../../../db/accounts/user-emails.ts';
import { type OptOut, optOut } from '../../../db/notifications/mail-addresses.ts';
import { createLinkTokens } from '../../../mail/tokens.ts';
import type { DashboardContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { showPage } from '../render.ts';

/** Descriptions of the mailing lists. */
const listNames: Record<string, string> = {
  credits: 'emails about low credits',
  monitors: 'emails about monitor results',
};

const readBody = express.urlencoded({ extended: false, limit: 1024, parameterLimit: 5, inflate: false });

/**
 * One-click unsubscribe (RFC 8058). GET shows a button. Email programs send the POST without a cookie. The token in the
 * URL is therefore the only proof.
 */
export function unsubscribePages(context: DashboardContext) {
  const { db, config } = context;
  const tokens = createLinkTokens(config.secretKey, config.previousSecretKey);

  function read(token: unknown): OptOut {
    const wish = tokens.parseOptOutToken(String(token ?? ''));
    if (!wish)
      throw new Refusal(404, 'This link is invalid or incomplete. Copy the whole link from the email.');
    return wish;
  }

  /** Finds the recipient and the name of the list. */
  async function describe({ userId, list }: OptOut) {
    const user = await find(db, userId);
    return { email: user?.email ?? null, what: listNames[list] ?? 'emails of this kind' };
  }

  const show: RequestHandler = async (req, res) => {
    const data = { token: req.query.token, isDone: false, ...(await describe(read(req.query.token))) };
    res.set('Referrer-Policy', 'no-referrer');
    await showPage(context, req, res, { view: 'unsubscribe', title: 'Unsubscribe', data });
  };

  const submit: RequestHandler[] = [
    readBody,
    async (req, res) => {
      const wish = read(req.query.token);
      await optOut(db, wish);
      res.set('Referrer-Policy', 'no-referrer');
      const data = { isDone: true, ...(await describe(wish)) };
      await showPage(context, req, res, { view: 'unsubscribe', title: 'Unsubscribed', data });
    },
  ];

  return { show, submit };
}
