import type { Request } from 'express';
import { validationError } from '../http/errors.ts';

/** Optional parts of an answer. */
export interface Include {
  results: boolean;
  /** The queries that were sent to providers. */
  evidence: boolean;
}

const words = ['results', 'evidence'] as const;

/** Reads `?include=results,evidence`. Throws a 422 for other words. */
export function readInclude(req: Request): Include {
  const value = req.query.include;
  const named = value === undefined || value === '' ? [] : String(value).split(',');
  if (named.some((word) => !words.some((known) => known === word))) {
    throw validationError({ include: [`Must be ${words.join(' or ')}, or both separated by a comma.`] });
  }
  return { results: named.includes('results'), evidence: named.includes('evidence') };
}
