import { Ajv2020, type AnySchema, type ErrorObject } from 'ajv/dist/2020.js';
import type Type from 'typebox';
import { batchSizeMax, textPattern, twoLetters, visibleTextPattern } from '../../schemas/text.ts';
import { type FieldErrors, FieldFaults, validationError } from './errors.ts';
import { lazily } from './lazily.ts';

// Nothing is coerced, nothing removed, no defaults written into the caller's object. That the schemas are schemas is
// for a test: to compile the schema of schemas takes a twelfth of a process's start.
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTypes: false,
  formats: {},
  validateSchema: false,
});
for (const word of ['date-time', 'uuid', 'uri']) ajv.addFormat(word, true);

/** Answers what fits, with its type; throws a 422 otherwise. */
interface Validate<T> {
  (body: unknown): T;
  /**
   * Leaves the fields out that do not fit and notes what is wrong with them, so that the others can be judged before
   * anything is refused. Throws a 422 for what is no object at all.
   */
  noting(body: unknown, faults: FieldFaults): Partial<T>;
}

interface ValidatorOptions {
  /**
   * The one long list of a request: its length is looked at first, or half a million wrong entries bring as
   * many errors; its entries are judged one by one elsewhere, where they may also be skipped.
   */
  list?: string;
  /** The same of a request that may have one of several. */
  lists?: readonly string[];
  /** How long such a list may be. */
  max?: number;
}

/** Compiles a schema once, when the first body is held against it. */
export function validatorFor<S extends Type.TSchema>(
  schema: S,
  { list, lists = list === undefined ? [] : [list], max = batchSizeMax }: ValidatorOptions = {},
): Validate<Type.Static<S>> {
  const checker = lazily(() =>
    ajv.compile(lists.length === 0 ? (schema as AnySchema) : withoutEntries(schema, lists)),
  );
  const noting = (body: unknown, faults: FieldFaults): Partial<Type.Static<S>> => {
    if (!isObject(body)) throw validationError({ body: ['Must be a JSON object.'] });
    const tooMany = Object.assign(
      {},
      ...lists.map((name) => tooManyOf(name, body[name], max)),
    ) as FieldErrors;
    faults.add(tooMany);
    const judged = without(body, Object.keys(tooMany));
    const check = checker();
    if (check(judged)) return judged as Partial<Type.Static<S>>;
    const found = without(toFieldErrors(check.errors ?? []), Object.keys(tooMany)) as FieldErrors;
    faults.add(found);
    const fields = Object.keys(found).map((path) => path.split('.', 1)[0] ?? path);
    return without(judged, fields) as Partial<Type.Static<S>>;
  };
  const validate = (body: unknown) => {
    const faults = new FieldFaults();
    const fitting = noting(body, faults);
    faults.throwIfAny();
    return fitting as Type.Static<S>;
  };
  return Object.assign(validate, { noting });
}

/** A schema that takes whatever stands in its lists. */
function withoutEntries(
  { $id, ...schema }: Type.TSchema & { $id?: string },
  lists: readonly string[],
): AnySchema {
  const { properties } = schema as unknown as { properties: Record<string, object> };
  const open = Object.fromEntries(lists.map((list) => [list, { ...properties[list], items: {} }]));
  return { ...schema, properties: { ...properties, ...open } };
}

/**
 * For the entries of a list, whose schema is compiled when the first one comes; the function it answers tells what does
 * not fit of one at `path`.
 */
export function faultFinderFor(schema: Type.TSchema): (entry: unknown, path: string) => FieldErrors {
  const checker = lazily(() => ajv.compile(schema as AnySchema));
  return (entry, path) => {
    const check = checker();
    return check(entry) ? {} : toFieldErrors(check.errors ?? [], path);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(fields: object, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function tooManyOf(field: string, value: unknown, longest: number): FieldErrors {
  if (!Array.isArray(value) || value.length <= longest) return {};
  const count = value.length.toLocaleString('en');
  const max = longest.toLocaleString('en');
  return { [field]: [`${count} entries; at most ${max} per request.`] };
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
  [visibleTextPattern]: 'Must have a visible character, and none that no text can hold.',
  [twoLetters]: 'Must be two letters, such as US or en.',
};

function article(type: string): string {
  if (type === 'integer') return 'a whole number';
  if (type === 'boolean') return 'true or false';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
