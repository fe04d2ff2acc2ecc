import { AccountClosedError, CredentialEndedError, MissingRightError } from '../../db/accounts/rights.ts';
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

export interface FieldNames {
  /** Fields that the page marks. An error about one of these fields becomes a refusal with that field. */
  fields?: readonly string[];
  /** Labels on the page by path in the API. Messages about a field then begin with the label. */
  labels?: Record<string, string>;
}

/**
 * Turns a 4xx error of the API into a refusal. Returns a refusal unchanged. Rethrows a 5xx error. Rethrows an error if
 * the visitor has lost the right to see the page.
 */
export function toRefusal(error: unknown, { fields = [], labels }: FieldNames = {}): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof CredentialEndedError || error instanceof MissingRightError) throw error;
  // The message of the API mentions a token, which the user of the dashboard has not sent.
  if (error instanceof AccountClosedError)
    return new Refusal(403, 'This account is closed or disabled. Contact the operator.');
  const { status, message, headers, body } = toApiError(error);
  if (status >= 500) throw error;
  const errors = (body.errors ?? {}) as Record<string, string[]>;
  const field = fields.find((name) => errors[name]?.[0]);
  if (field) return new Refusal(status, errors[field]?.[0] ?? message, { headers, field });
  const sentences = labels
    ? Object.entries(errors).map(([path, [problem = '']]) => `${labels[path] ?? path}: ${problem}`)
    : [];
  return new Refusal(status, sentences.join(' ') || message, { headers });
}
