import type { ErrorRequestHandler } from 'express';
import { AccountClosedError, CredentialEndedError } from '../../db/accounts/rights.ts';
import type { errorCodes } from '../../schemas/error-codes.ts';
import { discardBody, toApiError } from '../http/errors.ts';
import type { DashboardContext } from './context.ts';
import { findNextSteps } from './next-steps.ts';
import { Refusal, toRefusal } from './refusal.ts';
import { renderView, showPage } from './render.ts';
import { dropSession, redirectToSignIn } from './visitors.ts';

type ErrorStatus = (typeof errorCodes)[keyof typeof errorCodes]['status'];

const titles: Record<ErrorStatus, string> = {
  400: 'Invalid request',
  401: 'Not signed in',
  402: 'Not enough credits',
  403: 'Access denied',
  404: 'Page not found',
  405: 'Method not allowed',
  409: 'Action not possible',
  410: 'No longer available',
  413: 'Request too large',
  415: 'Content type not supported',
  422: 'Invalid input',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Service unavailable',
};

/** Pages show the request id and not the header that the API's message names, and forms have their own limits. */
const messages: Partial<Record<number, string>> = {
  413: 'This form is too large. Split its list or file, or use the API.',
  500: 'Something went wrong on our side.',
};

export function showErrors(context: DashboardContext): ErrorRequestHandler {
  return async (thrown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const isSignedOut = thrown instanceof CredentialEndedError;
    if (isSignedOut) dropSession(req);
    const error = isSignedOut ? redirectToSignIn(req, res) : thrown;
    if (error === null) return;
    const isRefused = error instanceof Refusal || error instanceof AccountClosedError;
    const shown = isRefused ? toRefusal(error) : toApiError(error);
    const { status, headers } = shown;
    const message = isRefused ? shown.message : (messages[status] ?? shown.message);
    if (status >= 500) {
      const requestId = res.get('X-Request-Id');
      context.log.error('Page request failed', { requestId, path: req.path, error });
    }
    if (res.closed) return;
    res.set(headers);
    discardBody(req);
    // Scripts show only the message.
    if (req.get('hx-request') !== undefined) return void res.status(status).type('text').send(message);
    const title = (shown instanceof Refusal && shown.title) || titles[status as ErrorStatus];
    const nextSteps = findNextSteps(req, status, shown instanceof Refusal ? shown.nextStep : undefined);
    const data = { message, nextSteps, requestId: status >= 500 ? res.get('X-Request-Id') : null };
    try {
      await showPage(context, req, res, { view: 'error', title, data, status });
    } catch {
      // The layout needs the database, which may be unavailable. The bare page does not need it.
      res.status(status).type('html').send(renderView('bare-error', { title, message, nextSteps }));
    }
  };
}
