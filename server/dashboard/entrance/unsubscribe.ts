import express, { type RequestHandler } from 'express';
import { find } from '../../../db/accounts/user-addresses.ts';
import { type OptOut, optOut } from '../../../db/notifications/mail-addresses.ts';
import { createLinkTokens } from '../../../mail/tokens.ts';
import type { DashboardContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { showPage } from '../render.ts';

/** What each list is of, as whoever ends it is told. */
const named: Record<string, string> = {
  credits: 'mails that say when the credits of an account run low',
  monitors: 'mails that say what the monitors of an account found',
};

const readBody = express.urlencoded({ extended: false, limit: 1024, parameterLimit: 5, inflate: false });

/**
 * No more mails of a list (RFC 8058): a mail program posts here, without a cookie and from no page of ours, and
 * what it shows is all the leave there is. Whoever follows the link finds a button.
 */
export function unsubscribePages(context: DashboardContext) {
  const { db, config } = context;
  const tokens = createLinkTokens(config.secretKey, config.previousSecretKey);

  function read(token: unknown): OptOut {
    const wish = tokens.readOptOut(String(token ?? ''));
    if (!wish) throw new Refusal(404, 'This link is not one of ours, or not whole.');
    return wish;
  }

  /** Whom mails of which kind go to: the link is in one of them. */
  async function whose({ userId, list }: OptOut) {
    const user = await find(db, userId);
    return { email: user?.email ?? null, what: named[list] ?? 'mails like the one that led here' };
  }

  const show: RequestHandler = async (req, res) => {
    const data = { token: req.query.token, isDone: false, ...(await whose(read(req.query.token))) };
    res.set('Referrer-Policy', 'no-referrer');
    await showPage(context, req, res, { view: 'unsubscribe', title: 'No more mails like this', data });
  };

  const act: RequestHandler[] = [
    readBody,
    async (req, res) => {
      const wish = read(req.query.token);
      await optOut(db, wish);
      res.set('Referrer-Policy', 'no-referrer');
      const data = { isDone: true, ...(await whose(wish)) };
      await showPage(context, req, res, { view: 'unsubscribe', title: 'Done', data });
    },
  ];

  return { show, act };
}
