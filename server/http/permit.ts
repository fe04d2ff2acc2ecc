import type { Request, RequestHandler } from 'express';
import { type Authorization, requireEntitled } from '../../db/accounts/rights.ts';
import type { Operation } from '../../schemas/operations/operation.ts';
import { getRight } from '../../schemas/operations/rights.ts';
import { getCaller } from './authenticate.ts';

const operationByRequest = new WeakMap<Request, Operation>();

/** Rejects a request if the token or its creator lacks the right. Runs before the body is read. */
export function requireRight(operation: Operation): RequestHandler {
  const right = getRight(operation);
  return (req, _res, next) => {
    const { role, ...token } = getCaller(req);
    requireEntitled({ role, token }, right);
    operationByRequest.set(req, operation);
    next();
  };
}

/** Returns the OpenAPI operation of a request. */
export function getOperation(req: Request): Operation {
  const operation = operationByRequest.get(req);
  if (!operation) throw new Error('this route is not behind requireRight');
  return operation;
}

/** Returns the caller and the required right of a request. The transaction checks both again. */
export function getAuthorization(req: Request): Authorization {
  const { accountId, tokenId, userId } = getCaller(req);
  return { accountId, credential: { tokenId, userId }, right: getRight(getOperation(req)) };
}
