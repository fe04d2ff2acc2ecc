import Type from 'typebox';
import { checkTypeNames, getCheckType } from '../check-types.ts';
import type { Role } from '../members.ts';
import type { Scope } from '../scopes.ts';
import type { headers } from './headers.ts';

/** An operation of the API, from which schemas/openapi.ts makes its description. */
export interface Operation {
  /** `operationId`, which generated clients use as method name. */
  id: string;
  method: 'get' | 'post' | 'patch' | 'delete';
  /** URL path from the root, with parameters in braces. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description: string;
  parameters?: readonly Parameter[];
  body?: { schema: Type.TSchema; examples: Record<string, object>; isOptional?: boolean };
  /** Successful responses by status. */
  answers: Record<number, OperationResponse>;
  /** Error statuses besides those that follow from the method, the parameters and the path. */
  errors?: readonly number[];
  /** Needs no token. */
  isOpen?: boolean;
  /** Required scope; by default `read` for GET, otherwise `check`. */
  scope?: Scope;
  /** Required role of the token's creator; by default it follows from the scope (rights.ts). */
  role?: Role;
  /** Test tokens are rejected. */
  isLiveOnly?: boolean;
  /** It costs credits, which also pay for the rows that it stores. */
  isCharged?: boolean;
  /** Rows that a successful request stores without a charge. They count against the allowance. */
  unbilledRows?: number;
  /** Works even if the allowance is used up, unless it has an Idempotency-Key. True by default for DELETE. */
  isAlwaysAllowed?: boolean;
  /** Its effect would outlive a token with a credit limit or an expiry date, so such tokens are rejected. */
  isUnlimitedOnly?: boolean;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  description: string;
  schema: object;
}

export interface OperationResponse {
  description: string;
  headers?: readonly HeaderName[];
  /** By media type; missing for a response without a body. */
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
    'Progress and results of bulk requests, and canceling them: free. Retrying or checking again costs as much as a new request.',
  Monitors: 'Recurring checks and their runs. A run costs 1 credit per URL or query.',
  Account: 'Balance, ledger, history, tokens and members. Free.',
  Webhooks: 'The signing secret, and the deliveries with their attempts. Free.',
  Service: 'State of the service. Needs no token.',
};

/** Creates a JSON response, with examples by name. */
export function jsonResponse(
  description: string,
  schema: Type.TSchema,
  examples: Record<string, unknown>,
  headers: readonly HeaderName[] = [],
): OperationResponse {
  return { description, headers, content: { 'application/json': { schema, examples } } };
}

export interface WebhookEvent {
  id: string;
  summary: string;
  /** Completes "Sent to the `webhook_url` …". */
  sentTo: string;
  schema: Type.TSchema;
  example: object;
}

/** Creates a response that is a file. */
export function fileResponse(description: string, mediaType: string, example: string): OperationResponse {
  return {
    description,
    content: { [mediaType]: { schema: Type.String(), examples: { file: example } } },
  };
}

/** Creates the operations of a table as CSV and as a workbook. `id` and `path` are without the ending. */
export function tableOperations({
  id,
  path,
  summary,
  columns,
  example,
  ...operation
}: Pick<Operation, 'id' | 'path' | 'tag' | 'summary' | 'parameters' | 'errors' | 'isLiveOnly'> & {
  /** Sentences about the rows and columns. */
  columns: string;
  /** The first lines of the CSV. */
  example: string;
}): Operation[] {
  return [
    {
      ...operation,
      id: `${id}Csv`,
      method: 'get',
      path: `${path}.csv`,
      summary: `${summary} as CSV`,
      description: `A header, then one line per row. ${columns}`,
      parameters: [...(operation.parameters ?? []), locale],
      answers: { 200: fileResponse('The table.', 'text/csv', example) },
    },
    {
      ...operation,
      id: `${id}Xlsx`,
      method: 'get',
      path: `${path}.xlsx`,
      summary: `${summary} as an Excel workbook`,
      description: `One sheet, with numbers, booleans and dates (UTC) as such. ${columns}`,
      answers: {
        200: fileResponse(
          'The workbook.',
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          'A ZIP of XML files (ECMA-376).',
        ),
      },
    },
  ];
}

const locale: Parameter = {
  in: 'query',
  name: 'locale',
  description:
    'Language whose separators the CSV has: with `de`, semicolons between cells, decimal commas, and times as ' +
    '`2026-11-20 09:41:05` (UTC).',
  schema: { type: 'string', examples: ['de'] },
};
