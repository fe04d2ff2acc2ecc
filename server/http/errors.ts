import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { AccountClosedError } from '../../db/accounts/open-account.ts';
import { CredentialEndedError, MissingRightError } from '../../db/accounts/rights.ts';
import { InsufficientCreditsError } from '../../db/ledger/ledger.ts';
import { TokenLimitError } from '../../db/ledger/token-spending.ts';
import { isContention, isDatabaseTrouble } from '../../db/postgres/trouble.ts';
import { ApiError } from '../../process/api-error.ts';
import type { ErrorWord } from '../../schemas/error-codes.ts';
import type { Context } from '../context.ts';

/** Field path to messages, such as `urls.17`. */
export type FieldErrors = Record<string, string[]>;

const errorPathsMax = 50;

/** 422 with the fields that do not fit; at most 50 of them are named. `others`: how many there are besides. */
export function validationError(errors: FieldErrors, others = 0): ApiError {
  const named = Object.entries(errors);
  const [first] = named;
  const rest = named.length - 1 + others;
  const message = first
    ? `${first[0]}: ${first[1][0]}${rest > 0 ? ` (and ${rest} more)` : ''}`
    : 'The request is invalid.';
  return new ApiError('validation_failed', message, {
    details: { errors: Object.fromEntries(named.slice(0, errorPathsMax)) },
  });
}

/** What is wrong with the fields of a request, collected until all of them have been looked at. */
export class FieldFaults {
  readonly #named = new Map<string, string[]>();
  // Those that nobody will be told are counted, and no more: there may be twenty thousand.
  #others = 0;

  add(errors: FieldErrors): void {
    for (const [path, messages] of Object.entries(errors)) {
      const known = this.#named.get(path);
      if (known) known.push(...messages);
      else if (this.#named.size < errorPathsMax) this.#named.set(path, [...messages]);
      else this.#others += 1;
    }
  }

  throwIfAny(): void {
    if (this.#named.size > 0) throw validationError(Object.fromEntries(this.#named), this.#others);
  }
}

/** The same answer for what is not there and what is another's. */
export function notFound(message: string): ApiError {
  return new ApiError('not_found', message);
}

/** 401: nobody may act by this token, or by none. */
export function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** 503: nothing was charged, and it may work in a moment. */
export function tryAgain(message: string, code: ErrorWord, seconds = 5): ApiError {
  return new ApiError(code, message, { retryAfterSeconds: seconds });
}

export function bodyTooLarge(): ApiError {
  const message =
    'The body is too large. Lists may have 8 MiB, other bodies 16 KiB; at most 100,000 values and 100 fields per object.';
  return new ApiError('body_too_large', message);
}

/** Every error to a status and a body; the only place that knows statuses of errors not ours. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof InsufficientCreditsError) return paymentRequired(error);
  if (error instanceof TokenLimitError) return limitReached(error);
  if (error instanceof AccountClosedError)
    return unauthorized('This account is closed or disabled. Nothing was charged.');
  if (error instanceof CredentialEndedError) return unauthorized(`${error.message} Nothing was changed.`);
  if (error instanceof MissingRightError) return new ApiError(error.code, error.message);
  const { status, type } = (error ?? {}) as { status?: number; type?: string };
  // What express and body-parser say may quote the body or the path, so our own words stand instead.
  if (status === 400) {
    return new ApiError('bad_request', 'This request cannot be read.');
  }
  if (status === 413) return bodyTooLarge();
  if (status === 415) {
    const message = 'Send the body as application/json in UTF-8, without Content-Encoding.';
    return new ApiError('unsupported_media_type', message);
  }
  if (isContention(error)) {
    return tryAgain('The service is too busy just now. Nothing was charged.', 'service_unavailable');
  }
  if (isDatabaseTrouble(error)) {
    return tryAgain(
      'The service cannot use its database just now. Nothing was charged.',
      'service_unavailable',
    );
  }
  return new ApiError('server_error', 'Something went wrong on our side.', { cause: error ?? type });
}

/** Reads on without keeping anything, so that the answer reaches a caller who sends all of its body first. */
export function discardRest(req: Request): void {
  if (!req.complete) req.resume();
}

/** The last handler: logs what is our fault, answers JSON. */
export function answerErrors({ log }: Pick<Context, 'log'>): ErrorRequestHandler {
  return (error, req, res, _next) => {
    if (res.headersSent) {
      // Too late for another answer; a connection that breaks tells the caller that this one is not whole.
      log.error('An answer broke off', { requestId: res.get('X-Request-Id'), path: req.path, error });
      res.destroy();
      return;
    }
    const apiError = toApiError(error);
    if (isOurFault(apiError)) {
      log.error('A request failed', {
        requestId: res.get('X-Request-Id'),
        path: req.path,
        error: apiError.cause ?? error,
      });
    }
    if (res.closed) return;
    discardRest(req);
    res.status(apiError.status).set(apiError.headers).json(apiError.body);
  };
}

/**
 * A provider or a network that fails is an answer of ours, told to the caller and counted; no fault to look
 * into here.
 */
function isOurFault({ status, code }: ApiError): boolean {
  return status === 500 || code === 'service_unavailable';
}

export const answerUnknownPath: RequestHandler = () => {
  throw notFound('There is nothing at this path. The endpoints are under /api/v1.');
};

/** For the methods a path does not have. */
export function methodNotAllowed(...allowed: string[]): RequestHandler {
  const methods = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
  return () => {
    const message = `This path takes ${allowed.join(' and ')} only.`;
    throw new ApiError('method_not_allowed', message, { headers: { Allow: methods.join(', ') } });
  };
}

function paymentRequired({ needed, available }: InsufficientCreditsError): ApiError {
  const group = (count: number) => count.toLocaleString('en');
  const message = `This request needs ${group(needed)} ${needed === 1 ? 'credit' : 'credits'}; you have ${group(
    available,
  )}. Nothing was queued or charged.`;
  return new ApiError('insufficient_credits', message, {
    details: { credits_needed: needed, credits_available: available },
  });
}

function limitReached({ needed, available, perMonth }: TokenLimitError): ApiError {
  const group = (count: number) => count.toLocaleString('en');
  const message = `This request needs ${group(needed)} ${needed === 1 ? 'credit' : 'credits'}; this token has ${group(
    available,
  )} left of its ${group(perMonth)} for this month. Nothing was queued or charged.`;
  return new ApiError('token_limit', message, {
    details: { credits_needed: needed, credits_available: available },
  });
}
