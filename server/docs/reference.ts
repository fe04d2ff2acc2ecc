/** The parts of an OpenAPI document that the reference shows. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Content {
  schema?: Schema;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { in: string; name: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, Content> }>;
}

export interface ApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { summary: string; requestBody: { content: Record<string, Content> } } }>;
  components: { responses: Record<string, { description: string }>; schemas: Record<string, Schema> };
}

interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** Groups the operations of an API by tag, as the reference shows them. */
export function toReference(api: ApiDocument) {
  const all = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return api.tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: all
        .filter(({ operation }) => operation.tags.includes(name))
        .map((one) => toOperationView(api, one)),
    }))
    .filter(({ operations }) => operations.length > 0);
}

/**
 * Returns an example payload per webhook event: only events of monitors if `ofMonitors`, otherwise only other events.
 */
export function listPayloads(
  api: ApiDocument,
  { ofMonitors }: { ofMonitors: boolean },
): { id: string; title: string; text: string }[] {
  const events = Object.entries(api.webhooks).filter(([id]) => id.startsWith('monitor') === ofMonitors);
  return events.map(([id, { post }]) => ({
    id,
    title: post.summary,
    text: Object.values(post.requestBody.content).flatMap(toExamples)[0]?.text ?? '',
  }));
}

function toOperationView(api: ApiDocument, one: { method: string; path: string; operation: Operation }) {
  const { operation, method, path } = one;
  const body = Object.values(operation.requestBody?.content ?? {})[0];
  return {
    method,
    path,
    id: operation.operationId,
    summary: operation.summary,
    description: operation.description ?? '',
    parameters: (operation.parameters ?? []).map(({ name, in: where, required, description, schema }) => ({
      name,
      type: `${where}, ${toTypeText(schema ?? {})}`,
      isRequired: required === true,
      description: description ?? '',
    })),
    body: body ? { fields: listFields(api, body.schema), examples: toExamples(body) } : null,
    answers: Object.entries(operation.responses).map(([status, response]) => {
      const { description = '', content = {} } = { ...resolveResponse(api, response), ...response };
      const [answer] = Object.values(content);
      const isError = Number(status) >= 400;
      return {
        status,
        description,
        fields: isError ? [] : listFields(api, answer?.schema),
        examples: isError || !answer ? [] : toExamples(answer),
      };
    }),
  };
}

function resolveResponse(api: ApiDocument, { $ref }: { $ref?: string }): { description?: string } {
  return api.components.responses[toSchemaName($ref)] ?? {};
}

/** Lists the fields of an object, including the fields of all its variants; [] for other types. */
function listFields(api: ApiDocument, schema: Schema | undefined): Field[] {
  if (!schema) return [];
  if (schema.$ref) return listFields(api, api.components.schemas[toSchemaName(schema.$ref)]);
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const own = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    type: toTypeText(property),
    isRequired: schema.required?.includes(name) ?? false,
    description: property.description ?? '',
  }));
  const fields = [...own, ...parts.flatMap((part) => listFields(api, part))];
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

function toTypeText({ $ref, type, enum: values, const: value, items, anyOf, oneOf }: Schema): string {
  if ($ref) return toSchemaName($ref);
  if (values) return values.map((one) => JSON.stringify(one)).join(' or ');
  if (value !== undefined) return JSON.stringify(value);
  if (items) return `list of ${toTypeText(items)}`;
  const variants = anyOf ?? oneOf;
  if (variants) return [...new Set(variants.map(toTypeText))].join(' or ');
  return [type ?? 'any'].flat().join(' or ');
}

function toExamples({ examples = {} }: Content): { name: string; text: string }[] {
  return Object.entries(examples).map(([name, { value }]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  }));
}

function toSchemaName($ref = ''): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
