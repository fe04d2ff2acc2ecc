import { AccountClosedError } from '../../db/accounts/open-account.ts';
import { CredentialEndedError, MissingRightError } from '../../db/accounts/rights.ts';
import { toApiError } from '../http/errors.ts';

interface RefusalExtras {
  headers?: Record<string, string>;
  /** The invalid field of the form. */
  field?: string;
}

/** An error whose message a page shows to the user. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly field: string | null;

  constructor(status: number, message: string, { headers = {}, field }: RefusalExtras = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
    this.field = field ?? null;
  }
}

/** Like `toRefusal`. If an API error concerns one of `fields`, the refusal has that field and its message. */
export function toFieldRefusal(error: unknown, fields: readonly string[]): Refusal {
  const refusal = toRefusal(error);
  if (refusal === error) return refusal;
  const { status, headers, body } = toApiError(error);
  const errors = (body.errors ?? {}) as Record<string, string[]>;
  const field = fields.find((name) => errors[name]?.[0]);
  return field ? new Refusal(status, errors[field]?.[0] ?? '', { headers, field }) : refusal;
}

/**
 * Returns a refusal as it is, and turns 4xx errors of the API into a refusal. Rethrows 5xx errors, and errors after
 * which the visitor must no longer see the page.
 */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof CredentialEndedError || error instanceof MissingRightError) throw error;
  // Replaces the API's message, which mentions a token.
  if (error instanceof AccountClosedError) return new Refusal(403, 'This account is closed or disabled.');
  const { status, message, headers } = toApiError(error);
  if (status >= 500) throw error;
  return new Refusal(status, message, { headers });
}
