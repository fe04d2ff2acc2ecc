import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { AccountClosedError, CredentialEndedError, MissingRightError } from '../../db/accounts/rights.ts';
import { isContention, isDatabaseUnavailable } from '../../db/postgres/errors.ts';
import { ApiError } from '../../process/api-error.ts';
import type { Location } from '../../schemas/location.ts';
import type { Context } from '../context.ts';

/** Messages by field path. A path looks like `urls.17`. */
export type FieldErrors = Record<string, string[]>;

const errorPathsMax = 50;

interface ValidationDetails {
  /** Number of invalid fields that are not in `errors`. */
  others?: number;
  code?: 'validation_failed' | 'location_unsupported';
  /** Cities for the first location that is unknown or ambiguous. */
  candidates?: Location[];
}

/** Creates a 422 that lists up to 50 invalid fields. */
export function validationError(
  errors: FieldErrors,
  { others = 0, code = 'validation_failed', candidates }: ValidationDetails = {},
): ApiError {
  const named = Object.entries(errors);
  const [first] = named;
  const rest = named.length - 1 + others;
  const message = first
    ? `${first[0]}: ${first[1][0]}${rest > 0 ? ` (and ${rest} more)` : ''}`
    : 'The request is invalid.';
  return new ApiError(code, message, {
    details: {
      errors: Object.fromEntries(named.slice(0, errorPathsMax)),
      ...(candidates ? { candidates } : {}),
    },
  });
}

/** Collects the errors of all fields of a request, to report them together. */
export class FieldErrorCollector {
  readonly #named = new Map<string, string[]>();
  // Fields beyond the limit are only counted. There may be twenty thousand.
  #others = 0;
  #details: Pick<ValidationDetails, 'code' | 'candidates'> = {};

  add(errors: FieldErrors): void {
    for (const [path, messages] of Object.entries(errors)) {
      const known = this.#named.get(path);
      if (known) known.push(...messages.filter((message) => !known.includes(message)));
      else if (this.#named.size < errorPathsMax) this.#named.set(path, [...messages]);
      else this.#others += 1;
    }
  }

  /** Adds details to the 422. Does not overwrite details of an earlier call. */
  addDetails(details: Pick<ValidationDetails, 'code' | 'candidates'>): void {
    this.#details = { ...details, ...this.#details };
  }

  throwIfAny(): void {
    if (this.#named.size > 0)
      throw validationError(Object.fromEntries(this.#named), { others: this.#others, ...this.#details });
  }
}

/** Creates a 404. It must be the same for an unknown id and an id of another account. */
export function notFound(message: string): ApiError {
  return new ApiError('not_found', message);
}

export function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function unavailable(reason: string): ApiError {
  const message = `${reason} You were not charged. Try again in 5 seconds.`;
  return new ApiError('service_unavailable', message, { retryAfterSeconds: 5 });
}

export function bodyTooLarge(): ApiError {
  const message =
    'The body is too large. The limits are 8 MiB for lists, 16 KiB for other bodies, 100,000 values and 100 fields per object.';
  return new ApiError('body_too_large', message);
}

/** Maps every error to a status and a body. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof AccountClosedError)
    return unauthorized('This account is closed or disabled. You were not charged. Contact the operator.');
  if (error instanceof CredentialEndedError)
    return unauthorized(`${error.message} Nothing was changed. Use another token.`);
  if (error instanceof MissingRightError) return new ApiError(error.code, error.message);
  const { status, type } = (error ?? {}) as { status?: number; type?: string };
  // The messages of express and body-parser are not sent, because they may quote the body or the path.
  if (status === 400) {
    return new ApiError('bad_request', 'This request is malformed. Check the path and the headers.');
  }
  if (status === 413) return bodyTooLarge();
  if (status === 415) {
    const message = 'Send the body as application/json in UTF-8, without Content-Encoding.';
    return new ApiError('unsupported_media_type', message);
  }
  if (isContention(error)) {
    return unavailable('The service is too busy.');
  }
  if (isDatabaseUnavailable(error)) {
    return unavailable('The service cannot reach its database.');
  }
  const message =
    'Something went wrong on our side. Try again with the same Idempotency-Key. ' +
    'If it fails again, send the operator the X-Request-Id header of this response.';
  return new ApiError('server_error', message, { cause: error ?? type });
}

/** Discards the rest of a body. Some clients read the response only after they have sent the whole body. */
export function discardBody(req: Request): void {
  if (!req.complete) req.resume();
}

/** The last handler: logs internal errors and answers with JSON. */
export function answerErrors({ log }: Pick<Context, 'log'>): ErrorRequestHandler {
  return (error, req, res, _next) => {
    if (res.headersSent) {
      // The status cannot change any more. The closed connection tells the client that the response is incomplete.
      log.error('A response was interrupted', { requestId: res.get('X-Request-Id'), path: req.path, error });
      res.destroy();
      return;
    }
    const apiError = toApiError(error);
    if (isInternalError(apiError)) {
      log.error('A request failed', {
        requestId: res.get('X-Request-Id'),
        path: req.path,
        error: apiError.cause ?? error,
      });
    }
    if (res.closed) return;
    discardBody(req);
    res.status(apiError.status).set(apiError.headers).json(apiError.body);
  };
}

/** Returns false for failures of providers and networks, which are expected, and are reported and counted elsewhere. */
function isInternalError({ status, code }: ApiError): boolean {
  return status === 500 || code === 'service_unavailable';
}

export const answerUnknownPath: RequestHandler = () => {
  throw notFound('This path does not exist. All endpoints are under /api/v1.');
};

const methodList = new Intl.ListFormat('en');

/** Answers 405 for the methods that a path does not support. */
export function methodNotAllowed(...allowed: string[]): RequestHandler {
  const methods = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
  return () => {
    const message = `This path supports only ${methodList.format(allowed)}.`;
    throw new ApiError('method_not_allowed', message, { headers: { Allow: methods.join(', ') } });
  };
}
