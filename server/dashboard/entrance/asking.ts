import type { Request, RequestHandler, Response } from 'express';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { owe } from '../../../mail/owe.ts';
import { noteSecurity } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { formOf } from '../forms.ts';
import { ownPath } from '../own-path.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { readEmail } from './people.ts';

interface Asking {
  template: 'reset' | 'sign_in';
  action: string;
  title: string;
  text: string;
  /** The text after sending, the same whether or not the address has an account. */
  sent: string;
}

const askings = {
  forgot: {
    template: 'reset',
    action: '/forgot',
    title: 'Choose a new password',
    text: 'If the address has an account, a link to choose a new password is sent there.',
    sent: 'If the address has an account, there is a link to choose a new password, for 30 minutes.',
  },
  link: {
    template: 'sign_in',
    action: '/sign-in/link',
    title: 'Email me a sign-in link',
    text: 'If the address has an account, a link that signs in is sent there.',
    sent: 'If the address has an account, there is a link that signs in, for 15 minutes.',
  },
} as const satisfies Record<string, Asking>;

const nextSeconds = 30 * 60;

/** Where links are asked for that come by mail. */
export function askingPages(context: DashboardContext) {
  const { db, tries, cookies } = context;

  const showAsking =
    (asking: Asking): RequestHandler =>
    (req, res) =>
      askPage(req, res, asking, {});

  /**
   * Does the same work whether or not the address has an account, so that the time does not tell. The worker looks up
   * the user.
   */
  const ask =
    (asking: Asking): RequestHandler =>
    async (req, res) => {
      const form = formOf(req);
      try {
        if (context.mail === 'off') throw new Refusal(403, 'This service sends no mail.');
        const address = readEmail(form.text('email'));
        const isFromKnownBrowser = await tries.mailed(req, address);
        await inTransaction(db, (trx) =>
          owe(trx, context, { template: asking.template, address, isFromKnownBrowser }),
        );
        noteSecurity(context, req, 'link_asked');
        cookies.write(res, 'next', ownPath(form.text('next')), nextSeconds);
        const data = { email: address, text: asking.sent };
        await showPage(context, req, res, { view: 'mailed', title: 'Look into your mail', data });
      } catch (error) {
        await askPage(req, res, asking, { email: form.text('email'), refusal: toRefusal(error) });
      }
    };

  function askPage(
    req: Request,
    res: Response,
    asking: Asking,
    { refusal, email }: { email?: string; refusal?: Refusal },
  ): Promise<void> {
    const modes = { isOffered: context.mail !== 'off', isTerminal: context.mail === 'terminal' };
    const data = { ...asking, ...modes, next: ownPath(req.query.next ?? req.body?.next), email };
    return showPage(context, req, res, { view: 'ask-mail', title: asking.title, data, refusal });
  }

  return {
    showForgot: showAsking(askings.forgot),
    forgot: ask(askings.forgot),
    showLink: showAsking(askings.link),
    link: ask(askings.link),
  };
}
