import express, { type Request, type RequestHandler } from 'express';
import { type Authorization, refuseUnlessEntitled } from '../../db/accounts/rights.ts';
import type { Operation } from '../../schemas/operations/operation.ts';
import { rightOf } from '../../schemas/operations/rights.ts';
import { callerOf } from './authenticate.ts';

const root = '/api/v1';
const operationsOf = new WeakMap<Request, Operation>();

/**
 * Refuses what a token or its maker has no right to, before the body is read. The paths are those of the document,
 * matched as those of the routes are.
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
    const { role, ...token } = callerOf(req);
    refuseUnlessEntitled({ role, token }, right);
    operationsOf.set(req, operation);
    next('router');
  };
}

/** Returns the documented operation that a request asks for; undefined for an unknown path. */
export function findOperation(req: Request): Operation | undefined {
  return operationsOf.get(req);
}

/** Returns the documented operation that a request asks for. */
export function operationOf(req: Request): Operation {
  const operation = operationsOf.get(req);
  if (!operation) throw new Error('this route is not behind permit');
  return operation;
}

/** Who asks for the operation of a request, and the right that it takes, to be checked again when it is done. */
export function authorizationOf(req: Request): Authorization {
  const { accountId, tokenId, userId } = callerOf(req);
  return { accountId, credential: { tokenId, userId }, right: rightOf(operationOf(req)) };
}
