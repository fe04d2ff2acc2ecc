import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { AssertionError } from 'chai';
import { errorCodes } from '../../schemas/error-codes.ts';
import { listStatuses, openApiDocument, operations } from '../../schemas/openapi.ts';
import type { Operation } from '../../schemas/operations/operation.ts';
import { record } from './contract-coverage.ts';

/** The parts of an answer that the OpenAPI document covers. */
export interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
const document = closed(openApiDocument({ baseUrl: 'http://localhost', version: '0.0.0' })) as any;
// Each process compiles what it needs and checks a few answers, so a fast compilation matters most. The document is
// not a JSON schema, so it is not validated as one.
const ajv = new Ajv2020({
  strict: false,
  logger: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
});
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
ajv.addFormat('uri', (text: string) => URL.canParse(text));
ajv.addSchema(document, 'sonde');

const matchers = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Checks an answer against the document, and records its status as seen. */
export function observe(method: string, path: string, answer: Answered): void {
  const operation = holdToContract(method, path, answer);
  if (operation) record(`${operation.id} ${answer.status}`);
}

/** Throws when an answer differs from the document in its status, its headers or a field of its body. */
export function holdToContract(method: string, path: string, answer: Answered): Operation | undefined {
  const here = matchers.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = here.find((candidate) => candidate.method === verb);
  const what = `${method} ${path}: ${answer.status}`;
  if (operation) {
    if (!listStatuses(operation).includes(answer.status))
      throw broken(`${what} is not documented`, answer.body);
    holdAnswer(what, operation, method, answer);
  } else if (here.length > 0 || path.startsWith('/api/v1')) {
    holdError(what, answer);
  }
  return operation;
}

function holdAnswer(what: string, operation: Operation, method: string, answer: Answered): void {
  const pointer = ['paths', operation.path, operation.method, 'responses', String(answer.status)];
  const [response, at] = resolved(pointer);
  for (const name of Object.keys(response.headers ?? {})) {
    const { required } = resolved([...at, 'headers', name])[0];
    if (required && !answer.headers.has(name)) throw broken(`${what} lacks the header ${name}`, answer.body);
  }
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  if (!response.content || method === 'HEAD') return;
  if (!response.content[type]) throw broken(`${what} has the undocumented type ${type}`, answer.body);
  if (type === 'application/json') holdBody(what, [...at, 'content', type, 'schema'], answer.body);
  if (answer.status >= 400) holdError(what, answer);
}

/** Checks that an error code belongs to the status. */
function holdError(what: string, { status, body }: Answered): void {
  const words = Object.entries(errorCodes).filter(([, code]) => code.status === status);
  const { error } = (body ?? {}) as { error?: string };
  if (!words.some(([word]) => word === error))
    throw broken(`${what} with the undocumented error ${error}`, body);
}

function holdBody(what: string, pointer: string[], body: unknown): void {
  const validate = validatorAt(pointer);
  if (validate(body)) return;
  const found = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  throw broken(`${what} does not fit the document:\n${found.join('\n')}`, body);
}

const validators = new Map<string, ValidateFunction>();

function validatorAt(pointer: string[]): ValidateFunction {
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  const $ref = `sonde#/${path.join('/')}`;
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  return validate;
}

/** Resolves a path in the document, through references. */
// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
function resolved(pointer: string[]): [found: any, at: string[]] {
  // biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
  const found = pointer.reduce((part: any, name) => part[name], document);
  return found.$ref ? resolved(found.$ref.slice(2).split('/')) : [found, pointer];
}

/** Forbids undocumented fields. Clients must accept them, so that fields can be added. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const inside = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  return 'properties' in inside && inside.type === 'object'
    ? { additionalProperties: false, ...inside }
    : inside;
}

function broken(message: string, body: unknown): Error {
  return new AssertionError(`${message}\n${JSON.stringify(body)?.slice(0, 600)}`);
}
