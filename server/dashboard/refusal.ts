import { AccountClosedError } from '../../db/accounts/open-account.ts';
import { CredentialEndedError, MissingRightError } from '../../db/accounts/rights.ts';
import { toApiError } from '../http/errors.ts';

interface RefusalExtras {
  headers?: Record<string, string>;
  /** The field of the form at fault. */
  field?: string;
}

/** Why a page does not do what was asked; the message is for the person who asked. */
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

/** The same of a form with these fields: what is wrong with one of them is said there, in words about it alone. */
export function toFieldRefusal(error: unknown, fields: readonly string[]): Refusal {
  const refusal = toRefusal(error);
  if (refusal === error) return refusal;
  const { status, headers, body } = toApiError(error);
  const errors = (body.errors ?? {}) as Record<string, string[]>;
  const field = fields.find((name) => errors[name]?.[0]);
  return field ? new Refusal(status, errors[field]?.[0] ?? '', { headers, field }) : refusal;
}

/**
 * A refusal as it is, or what the API would have refused. Throws again what is our own fault, and what shows that the
 * visitor may no longer see the page that would tell them.
 */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof CredentialEndedError || error instanceof MissingRightError) throw error;
  // A page asks for no token.
  if (error instanceof AccountClosedError) return new Refusal(403, 'This account is closed or disabled.');
  const { status, message, headers } = toApiError(error);
  if (status >= 500) throw error;
  return new Refusal(status, message, { headers });
}
