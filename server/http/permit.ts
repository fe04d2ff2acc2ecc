import express, { type RequestHandler } from 'express';
import { isAtLeast } from '../../schemas/members.ts';
import type { Operation } from '../../schemas/operations/operation.ts';
import { type Right, rightOf } from '../../schemas/operations/rights.ts';
import { reaches } from '../../schemas/scopes.ts';
import { callerOf } from './authenticate.ts';
import { ApiError } from './errors.ts';

const root = '/api/v1';

/**
 * Refuses what a token or its maker has no right to, before the body is read: the one place that knows. The paths are
 * those of the document, matched as those of the routes are.
 */
export function permit(operations: readonly Operation[]): RequestHandler {
  const router = express.Router({ caseSensitive: true });
  for (const operation of operations) {
    if (operation.isOpen) continue;
    const path = operation.path.slice(root.length).replaceAll(/\{(\w+)\}/g, ':$1');
    router[operation.method](path, requireRight(operation));
  }
  // Not the router itself: it is no list of what there is.
  return (req, res, next) => router(req, res, next);
}

function requireRight(operation: Operation): RequestHandler {
  const right = rightOf(operation);
  return (req, _res, next) => {
    const { scope, role, isTest } = callerOf(req);
    if (!reaches(scope, right.scope)) throw tooNarrow(right);
    if (!isAtLeast(role, right.role)) throw notYours(right, role);
    if (isTest && operation.isLiveOnly) throw notForTests();
    next('router');
  };
}

function tooNarrow({ scope }: Right): ApiError {
  return new ApiError(
    403,
    'insufficient_scope',
    `This token does not go that far: it takes one of scope ${scope}, made in the dashboard under Tokens.`,
  );
}

function notYours({ role: needed }: Right, role: string): ApiError {
  return new ApiError(
    403,
    'insufficient_scope',
    `Whoever made this token is ${article(role)} of the account; this takes ${article(needed)}.`,
  );
}

function notForTests(): ApiError {
  return new ApiError(
    403,
    'test_token',
    'This is for live tokens only: a test token has no history, ledger or monitors, and changes nothing of the account.',
  );
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`;
}
