import express, { type Request, type RequestHandler } from 'express';
import { type Authorization, requireEntitled } from '../../db/accounts/rights.ts';
import type { Operation } from '../../schemas/operations/operation.ts';
import { getRight } from '../../schemas/operations/rights.ts';
import { getCaller } from './authenticate.ts';
import { methodNotAllowed } from './errors.ts';

const root = '/api/v1';
const operationByRequest = new WeakMap<Request, Operation>();

/**
 * Rejects a request if the token or its creator lacks the right. If the path does not support the method, answers 405.
 * Runs before the body is read. Rights, paths and methods come from the OpenAPI document.
 */
export function requireRights(operations: readonly Operation[]): RequestHandler {
  const router = express.Router({ caseSensitive: true });
  const closed = operations.filter(({ isOpen }) => !isOpen);
  for (const [path, here] of Map.groupBy(closed, (operation) => operation.path)) {
    const route = router.route(path.slice(root.length).replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const operation of here) route[operation.method](requireRight(operation));
    route.all(methodNotAllowed(...here.map(({ method }) => method.toUpperCase())));
  }
  // The router is wrapped in a function. Tests treat each route of a mounted router as a route of the API.
  return (req, res, next) => router(req, res, next);
}

function requireRight(operation: Operation): RequestHandler {
  const right = getRight(operation);
  return (req, _res, next) => {
    const { role, ...token } = getCaller(req);
    requireEntitled({ role, token }, right);
    operationByRequest.set(req, operation);
    next('router');
  };
}

/** Returns the OpenAPI operation of a request; undefined for an unknown path. */
export function findOperation(req: Request): Operation | undefined {
  return operationByRequest.get(req);
}

/** Returns the OpenAPI operation of a request. Throws for an unknown path. */
export function getOperation(req: Request): Operation {
  const operation = operationByRequest.get(req);
  if (!operation) throw new Error('this route is not behind requireRights');
  return operation;
}

/** Returns the caller and the required right of a request. The transaction checks both again. */
export function getAuthorization(req: Request): Authorization {
  const { accountId, tokenId, userId } = getCaller(req);
  return { accountId, credential: { tokenId, userId }, right: getRight(getOperation(req)) };
}
