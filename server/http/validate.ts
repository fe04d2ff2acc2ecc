import { Ajv2020, type AnySchema, type ErrorObject } from 'ajv/dist/2020.js';
import type Type from 'typebox';
import { batchSizeMax } from '../../schemas/batch.ts';
import { textPattern, twoLetters } from '../../schemas/text.ts';
import { type FieldErrors, validationError } from './errors.ts';

// Nothing is coerced, nothing removed, no defaults written into the caller's object.
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, formats: {} });
for (const word of ['date-time', 'uuid', 'uri']) ajv.addFormat(word, true);

export type Validate<T> = (body: unknown) => T;

interface ValidatorOptions {
  /** The one long list of a request: its length is looked at first, or half a million wrong entries bring as many errors. */
  list?: string;
  /** Entries of the list are judged one by one elsewhere, where they may also be skipped. */
  areEntriesJudgedLater?: boolean;
}

/** Compiles a schema once; the function it answers returns what fits, with its type, and throws a 422 otherwise. */
export function validatorFor<S extends Type.TSchema>(
  schema: S,
  { list, areEntriesJudgedLater = false }: ValidatorOptions = {},
): Validate<Type.Static<S>> {
  const check = ajv.compile(schema as AnySchema) as unknown as (body: unknown) => body is Type.Static<S>;
  const errorsOf = () => (check as { errors?: ErrorObject[] | null }).errors ?? [];
  const isEntry = (path: string) => path.startsWith(`/${list}/`);
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw validationError({ body: ['Must be a JSON object.'] });
    }
    refuseTooDeep(body);
    if (list) refuseTooMany(list, (body as Record<string, unknown>)[list]);
    if (check(body)) return body;
    const errors = errorsOf().filter(({ instancePath }) => !(areEntriesJudgedLater && isEntry(instancePath)));
    if (errors.length === 0) return body as Type.Static<S>;
    throw validationError(toFieldErrors(errors));
  };
}

/** Compiles the schema of a list's entries; the function it answers tells what does not fit of one at `path`. */
export function faultFinderFor(schema: Type.TSchema): (entry: unknown, path: string) => FieldErrors {
  const check = ajv.compile(schema as AnySchema);
  return (entry, path) => (check(entry) ? {} : toFieldErrors(check.errors ?? [], path));
}

// No body of ours is deeper than a list of queries; what is far deeper exhausts whoever walks it.
const depthMax = 20;

function refuseTooDeep(body: object): void {
  let level: object[] = [body];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > depthMax) throw validationError({ body: [`Is nested more than ${depthMax} levels deep.`] });
    level = level.flatMap((value) => Object.values(value).filter(isNested));
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function refuseTooMany(field: string, value: unknown): void {
  if (!Array.isArray(value) || value.length <= batchSizeMax) return;
  const count = value.length.toLocaleString('en');
  const max = batchSizeMax.toLocaleString('en');
  throw validationError({ [field]: [`${count} entries; at most ${max} per request.`] });
}

function toFieldErrors(errors: ErrorObject[], at = ''): FieldErrors {
  const fields: FieldErrors = {};
  for (const error of errors) {
    const path = pathOf(error, at);
    const messages = fields[path] ?? [];
    const message = messageOf(error);
    if (!messages.includes(message)) messages.push(message);
    fields[path] = messages;
  }
  return fields;
}

function pathOf({ instancePath, keyword, params }: ErrorObject, at: string): string {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  // The error of a missing field sits on its parent.
  const missing = keyword === 'required' ? String(params.missingProperty) : '';
  return [at, path, missing].filter(Boolean).join('.') || 'body';
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'Is required.';
    case 'type':
      return `Must be ${article(String(params.type))}.`;
    case 'enum':
      return `Must be one of ${(params.allowedValues as unknown[]).join(', ')}.`;
    case 'minItems':
      return 'Is empty; send at least one entry.';
    case 'minLength':
      return 'Is empty.';
    case 'maxLength':
      return `Is longer than ${params.limit} characters.`;
    case 'pattern':
      return patternMessages[params.pattern] ?? `Must match ${params.pattern}.`;
    case 'minimum':
      return `Must be ${params.limit} or more.`;
    case 'maximum':
      return `Must be ${params.limit} or less.`;
    default:
      return `${(message ?? 'Does not fit').replace(/^must/, 'Must')}.`;
  }
}

const patternMessages: Record<string, string> = {
  [textPattern]: 'Contains a character that no text can hold.',
  [twoLetters]: 'Must be two letters, such as US or en.',
};

function article(type: string): string {
  if (type === 'integer') return 'a whole number';
  if (type === 'boolean') return 'true or false';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
