import type { Request, RequestHandler, Response } from 'express';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { enqueueMail } from '../../../mail/enqueue.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { getForm } from '../forms.ts';
import { toLocalPath } from '../local-path.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { readEmail } from './credentials.ts';

interface LinkRequest {
  template: 'reset' | 'sign_in';
  action: string;
  title: string;
  text: string;
  /** The text after the form was sent. It must not reveal whether the address has an account. */
  sent: string;
}

const requests = {
  forgot: {
    template: 'reset',
    action: '/forgot',
    title: 'Choose a new password',
    text: 'If the email address has an account, we send a link to choose a new password.',
    sent: 'If the email address has an account, we sent a link to choose a new password. It works for 30 minutes.',
  },
  link: {
    template: 'sign_in',
    action: '/sign-in/link',
    title: 'Email me a sign-in link',
    text: 'If the email address has an account, we send a link that signs you in.',
    sent: 'If the email address has an account, we sent a link that signs you in. It works for 15 minutes.',
  },
} as const satisfies Record<string, LinkRequest>;

const nextSeconds = 30 * 60;

export function linkRequestPages(context: DashboardContext) {
  const { db, signInAttempts, cookies } = context;

  const showRequest =
    (request: LinkRequest): RequestHandler =>
    (req, res) =>
      showForm(req, res, request, {});

  /** Enqueues the email. The worker finds the user, so that the response time does not reveal if the user exists. */
  const sendLink =
    (request: LinkRequest): RequestHandler =>
    async (req, res) => {
      const form = getForm(req);
      try {
        if (context.mail === 'off') throw new Refusal(403, 'This service does not send email.');
        const address = readEmail(form.text('email'));
        const isFromKnownBrowser = await signInAttempts.countEmailedLink(req, address);
        await inTransaction(db, (trx) =>
          enqueueMail(trx, context, { template: request.template, address, isFromKnownBrowser }),
        );
        logSecurityEvent(context, req, 'link_asked');
        cookies.write(res, 'next', toLocalPath(form.text('next')), nextSeconds);
        const isTerminal = context.mail === 'terminal';
        const title = isTerminal ? 'Check the terminal' : 'Check your email';
        const data = { email: address, text: request.sent, isTerminal };
        await showPage(context, req, res, { view: 'mailed', title, data });
      } catch (error) {
        await showForm(req, res, request, { email: form.text('email'), refusal: toRefusal(error) });
      }
    };

  function showForm(
    req: Request,
    res: Response,
    request: LinkRequest,
    { refusal, email }: { email?: string; refusal?: Refusal },
  ): Promise<void> {
    const modes = { isOffered: context.mail !== 'off', isTerminal: context.mail === 'terminal' };
    const data = { ...request, ...modes, next: toLocalPath(req.query.next ?? req.body?.next), email };
    return showPage(context, req, res, { view: 'ask-mail', title: request.title, data, refusal });
  }

  return {
    showForgot: showRequest(requests.forgot),
    forgot: sendLink(requests.forgot),
    showLink: showRequest(requests.link),
    link: sendLink(requests.link),
  };
}
