import type { Request } from 'express';
import { validationError } from '../http/errors.ts';

/** What of an answer is shown besides what always is. */
export interface Include {
  /** The results that were found on the way to a rank. */
  results: boolean;
  /** The queries that were asked for an answer. */
  evidence: boolean;
}

const words = ['results', 'evidence'] as const;

/** `?include=results,evidence`, in any order; 422 for another word. */
export function readInclude(req: Request): Include {
  const value = req.query.include;
  const named = value === undefined || value === '' ? [] : String(value).split(',');
  if (named.some((word) => !words.some((known) => known === word))) {
    throw validationError({ include: [`Must be ${words.join(' or ')}, or both with a comma.`] });
  }
  return { results: named.includes('results'), evidence: named.includes('evidence') };
}
