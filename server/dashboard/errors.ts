import type { ErrorRequestHandler } from 'express';
import { toApiError } from '../http/errors.ts';
import { endUnread } from '../http/linger.ts';
import type { DashboardContext } from './context.ts';
import { Refusal } from './refusal.ts';
import { showPage } from './render.ts';

const titles: Record<number, string> = {
  403: 'This did not work',
  404: 'Nothing here',
  409: 'Not possible now',
  413: 'That is too much at once',
  429: 'Too many tries',
  503: 'Just a moment',
};

/** From a link in a mail that has ended to a new one. */
const waysOn: Record<string, { href: string; name: string }> = {
  '/reset': { href: '/forgot', name: 'Ask for a new link' },
  '/sign-in/link/follow': { href: '/sign-in/link', name: 'Ask for a new link' },
  '/confirm': { href: '/sign-in', name: 'Sign in' },
  '/confirm-email': { href: '/settings', name: 'To your settings' },
};

/** An error as a page for people. */
export function showErrors(context: DashboardContext): ErrorRequestHandler {
  return async (error, req, res, next) => {
    if (res.headersSent) return next(error);
    const { status, message, headers } = error instanceof Refusal ? error : toApiError(error);
    if (status >= 500) {
      const requestId = res.get('X-Request-Id');
      context.log.error('A page failed', { requestId, path: req.path, error });
    }
    res.set(headers);
    endUnread(req, res);
    const wayOn = (status < 500 && waysOn[req.path]) || { href: '/', name: 'Back to the first page' };
    const data = { message, wayOn, requestId: status >= 500 ? res.get('X-Request-Id') : null };
    try {
      await showPage(context, req, res, { view: 'error', title: titles[status] ?? 'An error', data, status });
    } catch {
      // Without a database there is no balance to show, and so no page.
      res.status(status).type('text').send(message);
    }
  };
}
