import type { ErrorRequestHandler } from 'express';
import { AccountClosedError } from '../../db/accounts/open-account.ts';
import { CredentialEndedError } from '../../db/accounts/rights.ts';
import { discardRest, toApiError } from '../http/errors.ts';
import type { DashboardContext } from './context.ts';
import { Refusal, toRefusal } from './refusal.ts';
import { renderText, showPage } from './render.ts';
import { askToSignIn, forgetSession } from './visitors.ts';
import { waysOn } from './ways-on.ts';

const titles: Record<number, string> = {
  403: 'This did not work',
  404: 'Nothing here',
  409: 'Not possible now',
  410: 'No longer here',
  413: 'That is too much at once',
  429: 'Too many tries',
  500: 'A fault of ours',
  503: 'Just a moment',
};

/** An error as a page for people. */
export function showErrors(context: DashboardContext): ErrorRequestHandler {
  return async (thrown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const isSignedOut = thrown instanceof CredentialEndedError;
    if (isSignedOut) forgetSession(req);
    const error = isSignedOut ? askToSignIn(req, res) : thrown;
    if (error === null) return;
    const isRefused = error instanceof Refusal || error instanceof AccountClosedError;
    const { status, message, headers } = isRefused ? toRefusal(error) : toApiError(error);
    if (status >= 500) {
      const requestId = res.get('X-Request-Id');
      context.log.error('A page failed', { requestId, path: req.path, error });
    }
    if (res.closed) return;
    res.set(headers);
    discardRest(req);
    const title = titles[status] ?? 'Something went wrong';
    const ways = waysOn(req, status);
    const data = { message, ways, requestId: status >= 500 ? res.get('X-Request-Id') : null };
    try {
      await showPage(context, req, res, { view: 'error', title, data, status });
    } catch {
      // Without a database there is no balance to show, and so no page of an account.
      res.status(status).type('html').send(renderText('bare-error', { title, message, ways }));
    }
  };
}
