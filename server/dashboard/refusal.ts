import { AccountClosedError } from '../../db/accounts/open-account.ts';
import { CredentialEndedError, MissingRightError } from '../../db/accounts/rights.ts';
import { toApiError } from '../http/errors.ts';

/** A link of an error page. */
export interface NextStep {
  href: string;
  name: string;
}

interface RefusalExtras {
  headers?: Record<string, string>;
  /** The invalid field of the form. */
  field?: string;
  /** Title of the error page. By default, the title depends on the status. */
  title?: string;
  /** The link of the error page. By default, it depends on the path and the status. */
  nextStep?: NextStep;
}

/** Error with a message that a page shows to the user. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly field: string | null;
  readonly title: string | null;
  readonly nextStep: NextStep | undefined;

  constructor(status: number, message: string, { headers = {}, field, title, nextStep }: RefusalExtras = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
    this.field = field ?? null;
    this.title = title ?? null;
    this.nextStep = nextStep;
  }
}

/** Like `toRefusal`. If the error is about one of `fields`, the refusal has this field and its message. */
export function toFieldRefusal(error: unknown, fields: readonly string[]): Refusal {
  const refusal = toRefusal(error);
  if (refusal === error) return refusal;
  const { status, headers, body } = toApiError(error);
  const errors = (body.errors ?? {}) as Record<string, string[]>;
  const field = fields.find((name) => errors[name]?.[0]);
  return field ? new Refusal(status, errors[field]?.[0] ?? '', { headers, field }) : refusal;
}

/** Like `toRefusal`. A message about a field begins with its label on the page. `labels` has them by API path. */
export function toLabelledRefusal(error: unknown, labels: Record<string, string>): Refusal {
  const refusal = toRefusal(error);
  if (refusal === error) return refusal;
  const { status, headers, body } = toApiError(error);
  const errors = Object.entries((body.errors ?? {}) as Record<string, string[]>);
  if (errors.length === 0) return refusal;
  const sentences = errors.map(([path, [message = '']]) => `${labels[path] ?? path}: ${message}`);
  return new Refusal(status, sentences.join(' '), { headers });
}

/**
 * Turns a 4xx error of the API into a refusal. Returns a refusal unchanged. Rethrows a 5xx error. Rethrows an error if
 * the visitor has lost the right to see the page.
 */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof CredentialEndedError || error instanceof MissingRightError) throw error;
  // The API's message mentions a token.
  if (error instanceof AccountClosedError) return new Refusal(403, 'This account is closed or disabled.');
  const { status, message, headers } = toApiError(error);
  if (status >= 500) throw error;
  return new Refusal(status, message, { headers });
}
