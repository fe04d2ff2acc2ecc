import Type from 'typebox';
import { checkTypeEntry, checkTypeNames } from '../check-types.ts';
import type { Role } from '../members.ts';
import type { Scope } from '../scopes.ts';
import type { headers } from './headers.ts';

/** One thing the API does, as its document describes it (schemas/openapi.ts). */
export interface Operation {
  /** The `operationId`, and the name of the method in generated clients. */
  id: string;
  method: 'get' | 'post' | 'patch' | 'delete';
  /** With parameters in braces; always from the root. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description: string;
  parameters?: readonly Parameter[];
  body?: { schema: Type.TSchema; examples: Record<string, object>; isOptional?: boolean };
  /** What it answers when all is well. */
  answers: Record<number, Answer>;
  /** Statuses of errors besides those that follow from the method, the parameters and the path. */
  errors?: readonly number[];
  /** Needs no token. */
  isOpen?: boolean;
  /** How far a token must go; by default `read` for what reads, `check` for the rest. */
  scope?: Scope;
  /** What the token's maker must be; by default what its scope says (rights.ts). */
  role?: Role;
  /** Means nothing to a test token, which is refused. */
  isLiveOnly?: boolean;
  /** Costs credits, which pay for what it leaves. */
  isCharged?: boolean;
  /** Rows that it leaves when it succeeds and that no credit pays for; they count against the allowance. */
  unbilledRows?: number;
  /** Is done though nothing is left of the allowance, by default what deletes; not with an Idempotency-Key. */
  isAlwaysAllowed?: boolean;
  /** Would outlive a token with a credit limit or an expiry date, which is refused. */
  isUnlimitedOnly?: boolean;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  description: string;
  schema: object;
}

export interface Answer {
  description: string;
  headers?: readonly HeaderName[];
  /** By media type; none for an answer without a body. */
  content?: Record<string, { schema: Type.TSchema; examples: Record<string, unknown> }>;
}

type HeaderName = keyof typeof headers;

const checkTags = checkTypeNames.map((type) => {
  const { tag, about } = checkTypeEntry(type).document;
  return [tag, about] as const;
});

export const tags: Record<string, string> = {
  ...Object.fromEntries(checkTags),
  Batches:
    'Progress and results of bulk requests, and canceling them: free. A retry, and checking again, cost as a new request.',
  Monitors: 'Checks that repeat, and their runs. A run costs 1 credit per address or query.',
  Account: 'Balance, ledger, history, tokens and members. Free.',
  Webhooks: 'The secret that signs webhooks, and what became of each delivery. Free.',
  Service: 'About the service itself; without a token.',
};

/** An answer of one JSON schema, with examples by name. */
export function json(
  description: string,
  schema: Type.TSchema,
  examples: Record<string, unknown>,
  headers: readonly HeaderName[] = [],
): Answer {
  return { description, headers, content: { 'application/json': { schema, examples } } };
}

/** A message that the service sends. */
export interface WebhookEvent {
  id: string;
  /** What has happened. */
  summary: string;
  /** Whose `webhook_url` it is sent to. */
  sentTo: string;
  schema: Type.TSchema;
  example: object;
}

/** An answer that is saved as a file. */
export function file(description: string, mediaType: string, example: string): Answer {
  return {
    description,
    content: { [mediaType]: { schema: Type.String(), examples: { file: example } } },
  };
}
