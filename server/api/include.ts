import type { Request } from 'express';
import { validationError } from '../http/errors.ts';

export interface Include {
  results: boolean;
  /** The sources and the text of a rank check's AI Overview. */
  overview: boolean;
  /** The queries that were sent to providers. */
  evidence: boolean;
}

const words = ['results', 'ai_overview', 'evidence'] as const;

/** Reads `?include=results,ai_overview,evidence`. Throws a 422 for other words. */
export function readInclude(req: Request): Include {
  const value = req.query.include;
  const named = value === undefined || value === '' ? [] : String(value).split(',');
  if (named.some((word) => !words.some((known) => known === word))) {
    throw validationError({ include: [`Must be one or more of ${words.join(', ')}, separated by commas.`] });
  }
  return {
    results: named.includes('results'),
    overview: named.includes('ai_overview'),
    evidence: named.includes('evidence'),
  };
}
