import type { ErrorBody } from '../schemas/error.ts';
import { type ErrorCode, errorCodes } from '../schemas/error-codes.ts';

interface ApiErrorOptions {
  /** Delay after which a retry may succeed. */
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  /** Further fields of the body, such as `errors`. */
  details?: Partial<ErrorBody>;
  cause?: unknown;
}

/** Error of a request, with an error code of the API and a message for the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  readonly headers: Record<string, string>;
  readonly details: Partial<ErrorBody>;

  constructor(
    code: ErrorCode,
    message: string,
    { retryAfterSeconds, headers = {}, details = {}, cause }: ApiErrorOptions = {},
  ) {
    super(message, { cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = errorCodes[code].status;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
    this.headers = retryAfterSeconds ? { ...headers, 'Retry-After': String(retryAfterSeconds) } : headers;
    this.details = details;
  }

  get body(): ErrorBody {
    return { success: false, message: this.message, error: this.code, ...this.details };
  }
}
