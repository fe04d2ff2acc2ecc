import { Ajv2020, type AnySchema, type ErrorObject } from 'ajv/dist/2020.js';
import type Type from 'typebox';
import {
  batchSizeMax,
  languagePattern,
  submissionIdPattern,
  textPattern,
  twoLetters,
  visibleTextPattern,
} from '../../schemas/common.ts';
import { timePattern } from '../../schemas/monitor-types.ts';
import { FieldErrorCollector, type FieldErrors, validationError } from './errors.ts';
import { lazily } from './lazily.ts';

// Ajv must not convert, remove or add fields of a body. It does not validate the schemas, because this takes a twelfth
// of the start time of a process. A test validates them.
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTypes: false,
  formats: {},
  validateSchema: false,
});
for (const word of ['date-time', 'uuid', 'uri']) ajv.addFormat(word, true);

interface ValidatorOptions {
  /**
   * Names of the long lists of a request. Only their lengths are validated here, because half a million invalid entries
   * would cause half a million errors. The caller validates the entries one by one.
   */
  lists?: readonly string[];
  /** Maximum of entries per list. */
  max?: number;
}

/** Returns a validator. It compiles the schema when it is first used. */
export function createValidator<S extends Type.TSchema>(
  schema: S,
  { lists = [], max = batchSizeMax }: ValidatorOptions = {},
) {
  const checker = lazily(() =>
    ajv.compile(lists.length === 0 ? (schema as AnySchema) : omitEntries(schema, lists)),
  );
  /**
   * Returns the valid fields, and adds the errors of the other fields to `faults`. The caller can validate further
   * before it throws. Throws a 422 if the body is not an object.
   */
  const collect = (body: unknown, faults: FieldErrorCollector): Partial<Type.Static<S>> => {
    if (!isObject(body)) throw validationError({ body: ['Must be a JSON object.'] });
    const tooMany = Object.assign(
      {},
      ...lists.map((name) => findTooMany(name, body[name], max)),
    ) as FieldErrors;
    faults.add(tooMany);
    const checked = omit(body, Object.keys(tooMany));
    const check = checker();
    if (check(checked)) return checked as Partial<Type.Static<S>>;
    const found = omit(toFieldErrors(check.errors ?? []), Object.keys(tooMany)) as FieldErrors;
    faults.add(found);
    const fields = Object.keys(found).map((path) => path.split('.', 1)[0] ?? path);
    return omit(checked, fields) as Partial<Type.Static<S>>;
  };
  /** Returns a valid body. Throws a 422 for an invalid body. */
  const validate = (body: unknown): Type.Static<S> => {
    const faults = new FieldErrorCollector();
    const fields = collect(body, faults);
    faults.throwIfAny();
    return fields as Type.Static<S>;
  };
  return Object.assign(validate, { collect });
}

/** Removes the schemas of the entries of lists. */
function omitEntries(
  { $id, ...schema }: Type.TSchema & { $id?: string },
  lists: readonly string[],
): AnySchema {
  const { properties } = schema as unknown as { properties: Record<string, object> };
  const open = Object.fromEntries(lists.map((list) => [list, { ...properties[list], items: {} }]));
  return { ...schema, properties: { ...properties, ...open } };
}

/** Returns a function that validates an entry of a list at `path`. It compiles the schema when it is first used. */
export function createEntryValidator(schema: Type.TSchema): (entry: unknown, path: string) => FieldErrors {
  const checker = lazily(() => ajv.compile(schema as AnySchema));
  return (entry, path) => {
    const check = checker();
    return check(entry) ? {} : toFieldErrors(check.errors ?? [], path);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function omit(fields: object, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function findTooMany(field: string, value: unknown, longest: number): FieldErrors {
  if (!Array.isArray(value) || value.length <= longest) return {};
  const count = value.length.toLocaleString('en');
  const max = longest.toLocaleString('en');
  return { [field]: [`Has ${count} entries. The limit is ${max} per request.`] };
}

function toFieldErrors(errors: ErrorObject[], at = ''): FieldErrors {
  const fields: FieldErrors = {};
  for (const error of dropAlternatives(errors)) {
    const path = toPath(error, at);
    const messages = fields[path] ?? [];
    const message = toMessage(error);
    if (!messages.includes(message)) messages.push(message);
    fields[path] = messages;
  }
  return fields;
}

/**
 * Drops errors of `anyOf`, which repeat the errors of the branches. If a field has other errors, also drops the error
 * of the branch `null`.
 */
function dropAlternatives(errors: ErrorObject[]): ErrorObject[] {
  const ofBranches = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const isNull = ({ keyword, params }: ErrorObject) => keyword === 'type' && params.type === 'null';
  if (!ofBranches.some(isNull)) return ofBranches;
  const paths = new Set(ofBranches.filter((error) => !isNull(error)).flatMap(withParents));
  return ofBranches.filter((error) => !isNull(error) || !paths.has(error.instancePath));
}

function withParents({ instancePath }: ErrorObject): string[] {
  const parts = instancePath.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function toPath({ instancePath, keyword, params }: ErrorObject, at: string): string {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  // Ajv reports a missing field on its parent.
  const missing = keyword === 'required' ? String(params.missingProperty) : '';
  return [at, path, missing].filter(Boolean).join('.') || 'body';
}

function toMessage({ keyword, params }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'Is required.';
    case 'type':
      return `Must be ${article(String(params.type))}.`;
    case 'enum':
      return `Must be one of ${(params.allowedValues as unknown[]).join(', ')}.`;
    case 'minItems':
      return 'Is empty. Send at least one entry.';
    case 'minLength':
      return 'Is empty.';
    case 'maxLength':
      return `Is longer than ${params.limit} characters.`;
    case 'pattern':
      return patternMessages[params.pattern] ?? 'Is invalid.';
    case 'minimum':
      return `Must be ${params.limit} or more.`;
    case 'maximum':
      return `Must be ${params.limit} or less.`;
    case 'maxItems':
      return `Has more than ${params.limit} entries.`;
    case 'uniqueItems':
      return 'Contains the same entry twice.';
    default:
      return 'Is invalid.';
  }
}

const patternMessages: Record<string, string> = {
  [textPattern]: 'Contains an invalid character.',
  [visibleTextPattern]: 'Must contain text and no control characters.',
  [timePattern]: 'Must be a time from 00:00 to 23:59, such as 06:00.',
  [submissionIdPattern]: 'Must be a UUID such as 5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11.',
  [twoLetters]: 'Must be two letters, such as US.',
  [languagePattern]: 'Must be a language code, such as en or pt-BR.',
};

function article(type: string): string {
  if (type === 'integer') return 'a whole number';
  if (type === 'boolean') return 'true or false';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
