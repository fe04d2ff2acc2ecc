import type Type from 'typebox';
import { ErrorBody } from './error.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import { accountOperations } from './operations/account.ts';
import { annotationOperations } from './operations/annotations.ts';
import { batchActionOperations } from './operations/batch-actions.ts';
import { batchOperations } from './operations/batches.ts';
import { checkOperations } from './operations/checks.ts';
import { errorHeaders, headers, limitHeaders } from './operations/headers.ts';
import { monitorWebhookEvents } from './operations/monitor-events.ts';
import { monitorHistoryOperations } from './operations/monitor-history.ts';
import { monitorOperations } from './operations/monitors.ts';
import { type Operation, type OperationResponse, type Parameter, tags } from './operations/operation.ts';
import { idempotencyKey, listPathParameters, webhookHeaders } from './operations/parameters.ts';
import { peopleOperations } from './operations/people.ts';
import { describeRight, getRight, isOpenToAllTokens } from './operations/rights.ts';
import { serviceOperations } from './operations/service.ts';
import { webhookEvents, webhookOperations } from './operations/webhooks.ts';

/** All operations of the API. The contract test compares the service with them. */
export const operations: readonly Operation[] = [
  ...checkOperations,
  ...batchOperations,
  ...batchActionOperations,
  ...monitorHistoryOperations,
  ...monitorOperations,
  ...annotationOperations,
  ...accountOperations,
  ...peopleOperations,
  ...webhookOperations,
  ...serviceOperations,
];

/**
 * Returns the OpenAPI 3.1 document of the API. Its schemas also validate requests
 * (https://spec.openapis.org/oas/v3.1.1).
 */
export function openApiDocument({ baseUrl, version }: { baseUrl: string; version: string }): object {
  const components = new Components();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] as object, { [operation.method]: describe(operation, components) });
  }
  const responses = Object.fromEntries(
    allErrorStatuses().map((status) => [`Error${status}`, describeError(status, components)]),
  );
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sonde',
      version,
      summary: 'Google index checks, HTTP status checks and keyword ranks.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeEvents(components),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token from the dashboard.' },
      },
      headers,
      responses,
      schemas: components.schemas,
    },
  };
}

/** Returns all statuses that an operation may respond with, including errors. */
export function listStatuses(operation: Operation): number[] {
  return [...Object.keys(operation.answers).map(Number), ...listErrors(operation)];
}

const introduction = [
  'Requests and responses are JSON. Every response has `X-Request-Id`. Every error has a code for programs (`error`) and a text for people (`message`).',
  '',
  'You pay for answers. A check without an answer is refunded. If you send an `Idempotency-Key`, you can repeat any POST without a second charge.',
  '',
  'New fields may be added to responses at any time. Ignore fields that you do not know.',
].join('\n');

/** Returns the error statuses that follow from method, path, parameters, right and `operation.errors`. */
function listErrors(operation: Operation): number[] {
  const { method, path, parameters = [], errors = [], isOpen = false } = operation;
  const statuses = new Set([
    ...(isOpen ? [] : [401, 429, 500, 503]),
    ...(isOpen || isOpenToAllTokens(getRight(operation)) ? [] : [403]),
    // A DELETE may also have a body.
    ...(method === 'get' ? [] : [400, 409, 413, 415, 422]),
    ...(path.includes('{') ? [400, 404] : []),
    ...(parameters.some((parameter) => parameter.in === 'query') ? [422] : []),
    ...errors,
  ]);
  return [...statuses].sort((one, other) => one - other);
}

function describe(operation: Operation, components: Components): object {
  const { id, tag, summary, description, body, answers, method, isOpen = false } = operation;
  const parameters = [
    ...listPathParameters(operation.path),
    ...(operation.parameters ?? []),
    ...(method === 'get' ? [] : [idempotencyKey]),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: isOpen ? description : `${description} ${describeRight(getRight(operation))}`,
    security: isOpen ? [] : [{ bearer: [getRight(operation).scope] }],
    ...(parameters.length > 0 ? { parameters: parameters.map(describeParameter) } : {}),
    ...(body
      ? {
          requestBody: {
            required: !body.isOptional,
            content: { 'application/json': media(body, components) },
          },
        }
      : {}),
    responses: Object.fromEntries([
      ...Object.entries(answers).map(([status, answer]) => [
        status,
        describeAnswer(answer, operation, components),
      ]),
      ...listErrors(operation).map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
    ]),
  };
}

function describeEvents(components: Components): object {
  const described = [...webhookEvents, ...monitorWebhookEvents].map(
    ({ id, summary, sentTo, schema, example }) => [
      id,
      {
        post: {
          operationId: id,
          tags: ['Webhooks'],
          summary,
          description: `Sent to the \`webhook_url\` ${sentTo}, signed as in Standard Webhooks. Retried for up to three days until the response is a 2xx.`,
          security: [],
          parameters: webhookHeaders.map(describeParameter),
          requestBody: {
            required: true,
            content: { 'application/json': media({ schema, examples: { sent: example } }, components) },
          },
          responses: {
            '2XX': { description: 'Delivered.' },
            410: { description: 'Stops all further attempts of this delivery.' },
          },
        },
      },
    ],
  );
  return Object.fromEntries(described);
}

function describeParameter({ schema, ...parameter }: Parameter): object {
  return { ...parameter, ...(parameter.in === 'path' ? { required: true } : {}), schema };
}

function describeAnswer(
  { description, content, headers: names = [] }: OperationResponse,
  { method, isOpen = false }: Operation,
  components: Components,
): object {
  const replayed = method === 'get' ? [] : (['Idempotent-Replayed'] as const);
  const types = Object.entries(content ?? {}).map(([type, what]) => [type, media(what, components)]);
  return {
    description,
    headers: headerReferences(['X-Request-Id', ...names, ...replayed, ...(isOpen ? [] : limitHeaders)]),
    ...(content ? { content: Object.fromEntries(types) } : {}),
  };
}

function describeError(status: number, components: Components): object {
  const codes = findCodes(status);
  const examples = Object.fromEntries(
    codes.map((code) => [code, { success: false, message: errorCodes[code].meaning, error: code }]),
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join('\n\n'),
    headers: headerReferences(['X-Request-Id', ...(errorHeaders[status] ?? []), ...limitHeaders]),
    content: { 'application/json': media({ schema: ErrorBody, examples }, components) },
  };
}

function headerReferences(names: readonly (keyof typeof headers)[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function media(
  { schema, examples }: { schema: Type.TSchema; examples: Record<string, unknown> },
  components: Components,
): object {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return { schema: components.refer(schema), examples: Object.fromEntries(named) };
}

function findCodes(status: number): ErrorCode[] {
  return (Object.keys(errorCodes) as ErrorCode[]).filter((code) => errorCodes[code].status === status);
}

function allErrorStatuses(): number[] {
  return [...new Set(operations.flatMap(listErrors))].sort((one, other) => one - other);
}

/** Collects named schemas. The document contains each of them once. */
class Components {
  readonly schemas: Record<string, object> = {};

  /**
   * Returns a reference to a named schema. A schema without a name is copied, and its named parts become references.
   */
  refer(schema: Type.TSchema): object {
    const { $id: name, ...rest } = schema as { $id?: string };
    if (name === undefined) return this.#withReferences(rest);
    if (!this.schemas[name]) {
      this.schemas[name] = {};
      Object.assign(this.schemas[name], this.#withReferences(rest));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #withReferences(schema: object): object {
    const parts = Object.entries(withDefaultsInWords(schema)).map(([key, value]) => [
      key,
      this.#convertValue(key, value),
    ]);
    return Object.fromEntries(parts);
  }

  #convertValue(keyword: string, value: unknown): unknown {
    if (value === null || typeof value !== 'object' || !keywordsWithSchemas.has(keyword)) return value;
    if (Array.isArray(value)) return value.map((part) => this.refer(part));
    if (keyword === 'items' || keyword === 'additionalProperties') return this.refer(value as Type.TSchema);
    return this.#convertMembers(value);
  }

  #convertMembers(members: object): object {
    return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, this.refer(schema)]));
  }
}

/**
 * Moves the defaults of optional fields into their descriptions. Client generators treat a field with a `default` as
 * required.
 */
function withDefaultsInWords(schema: { properties?: Record<string, object>; required?: string[] }): object {
  const { properties, required = [] } = schema;
  if (!properties) return schema;
  const described = Object.entries(properties).map(([name, field]) => {
    const { default: value, description, ...rest } = field as { default?: unknown; description?: string };
    if (value === undefined || required.includes(name)) return [name, field];
    const words = `Default: \`${value}\``;
    return [name, { ...rest, description: description ? `${description}. ${words}` : words }];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

const keywordsWithSchemas = new Set([
  'properties',
  'patternProperties',
  'items',
  'additionalProperties',
  'anyOf',
  'allOf',
  'oneOf',
]);
