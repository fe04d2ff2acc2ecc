import Type from 'typebox';
import { checkTypeNames, getCheckType } from '../check-types.ts';
import type { Role } from '../members.ts';
import type { Scope } from '../scopes.ts';
import type { headers } from './headers.ts';

/** An operation of the API. schemas/openapi.ts creates its description. */
export interface Operation {
  /** `operationId`. Generated clients use it as method name. */
  id: string;
  method: 'get' | 'post' | 'patch' | 'delete';
  /** URL path from the root, with parameters in braces. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description: string;
  /** Parameters other than those in the path. */
  parameters?: readonly Parameter[];
  body?: RequestBody;
  /** Successful responses by status. */
  answers: Responses;
  /** Error statuses beyond those that follow from the method, the parameters and the path. */
  errors?: readonly number[];
  /** True if no token is required. */
  isOpen?: boolean;
  /** Required scope. Default: `read` for GET, `check` for other methods. */
  scope?: Scope;
  /** Required role of the token's creator. Default: a role that follows from the scope (rights.ts). */
  role?: Role;
  /** True if test tokens are rejected. */
  isLiveOnly?: boolean;
  /** True if the operation costs credits. The credits also pay for the rows that the operation stores. */
  isCharged?: boolean;
  /** Uncharged rows that a successful request stores. They count against the allowance. */
  unbilledRows?: number;
  /**
   * True if the operation also works when the allowance is used up. With an Idempotency-Key, it needs the allowance,
   * because its response is stored. Default: true for DELETE, otherwise false.
   */
  isAlwaysAllowed?: boolean;
  /**
   * True if tokens with a credit limit or an expiry date are rejected, because the effect would outlive such a token.
   */
  isUnlimitedOnly?: boolean;
}

type UntaggedOperation = Omit<Operation, 'tag'>;

interface RequestBody {
  schema: Type.TSchema;
  examples: Record<string, object>;
  isOptional?: boolean;
  /** True if the body contains a long list. It may then have 8 MiB instead of 16 KiB. */
  isList?: boolean;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  /** A path parameter is always required. */
  required?: true;
  description: string;
  schema: object;
}

type Responses = Record<number, OperationResponse>;

export interface OperationResponse {
  description: string;
  headers?: readonly HeaderName[];
  /** Content by media type. Absent if the response has no body. */
  content?: Record<string, { schema: Type.TSchema; examples: Record<string, unknown> }>;
}

type HeaderName = keyof typeof headers;

const checkTags = checkTypeNames.map((type) => {
  const { tag, about } = getCheckType(type).document;
  return [tag, about] as const;
});

export const tags: Record<string, string> = {
  ...Object.fromEntries(checkTags),
  Batches:
    'Progress, results and cancellation of bulk requests. Free. A retry or a new check costs as much as a new request.',
  Monitors:
    'Recurring checks and their runs. A run costs 1 credit per URL or query, or up to 2 with an AI Overview.',
  Account: 'Balance, ledger, history, tokens and members. Free.',
  Webhooks: 'The signing secret, and the deliveries with their attempts. Free.',
  Service: 'State of the service. Needs no token.',
};

export function withTag(tag: string, operations: UntaggedOperation[]): Operation[] {
  return operations.map((operation) => ({ ...operation, tag }));
}

export function jsonResponse(
  description: string,
  schema: Type.TSchema,
  examples: Record<string, unknown>,
  { status = 200, headers = [] }: { status?: number; headers?: readonly HeaderName[] } = {},
): Responses {
  return { [status]: { description, headers, content: { 'application/json': { schema, examples } } } };
}

/** Creates a response with a page of a list. The example has one entry. */
export function listResponse(description: string, schema: Type.TSchema, entry: object): Responses {
  const page = {
    success: true,
    data: [entry],
    current_page: 1,
    per_page: 20,
    total: 1,
    last_page: 1,
    next_page_url: null,
    prev_page_url: null,
    next_cursor: null,
  };
  return jsonResponse(description, schema, { page }, { headers: ['Link'] });
}

export interface WebhookEvent {
  id: string;
  summary: string;
  /** Completes "Sent to the `webhook_url` …". */
  sentTo: string;
  schema: Type.TSchema;
  example: object;
}

export function fileResponse(description: string, mediaType: string, example: string): Responses {
  const content = { [mediaType]: { schema: Type.String(), examples: { file: example } } };
  return { 200: { description, content } };
}

/** Creates the operations that return a table as CSV and as a workbook. `id` and `path` do not include the format. */
export function tableOperations({
  id,
  path,
  summary,
  columns,
  example,
  ...operation
}: Pick<Operation, 'id' | 'path' | 'summary' | 'parameters' | 'errors' | 'isLiveOnly'> & {
  /** Sentences about the rows and columns. */
  columns: string;
  /** The first lines of the CSV. */
  example: string;
}): UntaggedOperation[] {
  return [
    {
      ...operation,
      id: `${id}Csv`,
      method: 'get',
      path: `${path}.csv`,
      summary: `${summary} as CSV`,
      description: `A header, then one line per row. ${columns}`,
      parameters: [...(operation.parameters ?? []), locale],
      answers: fileResponse('The table.', 'text/csv', example),
    },
    {
      ...operation,
      id: `${id}Xlsx`,
      method: 'get',
      path: `${path}.xlsx`,
      summary: `${summary} as an Excel workbook`,
      description: `One sheet. Numbers, booleans and dates (UTC) keep their types. ${columns}`,
      answers: fileResponse(
        'The workbook.',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'A ZIP of XML files (ECMA-376).',
      ),
    },
  ];
}

const locale: Parameter = {
  in: 'query',
  name: 'locale',
  description:
    'Language that sets the format of the CSV. `de`: semicolons between cells, decimal commas, and times as ' +
    '`2026-11-20 09:41:05` (UTC).',
  schema: { type: 'string', examples: ['de'] },
};
