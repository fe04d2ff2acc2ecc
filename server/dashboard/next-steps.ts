import type { Request } from 'express';
import { parseUrl } from '../../net/url.ts';
import { toLocalPath } from './local-path.ts';
import type { NextStep } from './refusal.ts';
import { findSession } from './visitors.ts';

const home: NextStep = { href: '/', name: 'Home' };

/** Next steps after an expired one-time link, by the path of the link. */
const fromLinks: Record<string, NextStep> = {
  '/reset': { href: '/forgot', name: 'Request a new link' },
  '/sign-in/link/follow': { href: '/sign-in/link', name: 'Request a new link' },
  '/confirm': { href: '/sign-in', name: 'Sign in' },
  '/confirm-email': { href: '/settings', name: 'Settings' },
  '/start': { href: '/sign-in', name: 'Sign in' },
};

/** Lists to offer on a 404 page, by the first part of the path. */
const lists: Record<string, NextStep> = {
  batches: { href: '/batches', name: 'Batches' },
  submissions: { href: '/batches', name: 'Batches' },
  monitors: { href: '/monitors', name: 'Monitors' },
  ranks: { href: '/ranks', name: 'Ranks' },
  tokens: { href: '/tokens', name: 'Tokens' },
  webhooks: { href: '/webhooks', name: 'Webhooks' },
  members: { href: '/members', name: 'Members' },
  docs: { href: '/docs', name: 'Guide' },
};

/** Returns the links of an error page: the step that helps with this error, if there is one, and the home page. */
export function findNextSteps(req: Request, status: number, step = findStep(req, status)): NextStep[] {
  return step && step.href !== home.href ? [step, home] : [step ?? home];
}

function findStep(req: Request, status: number): NextStep | undefined {
  if (status < 500 && fromLinks[req.path]) return fromLinks[req.path];
  if (status === 402) return { href: '/credits', name: 'Credits' };
  if (status === 410) return findBatchPage(req.path);
  if (status === 404) return findList(req);
  if (req.method === 'POST') return findFormPage(req);
  if (status === 429 || status >= 500) return { href: toLocalPath(req.originalUrl), name: 'Reload the page' };
  if (status === 403 && findSession(req)) return { href: '/members', name: 'See who can change your role' };
  return undefined;
}

/** Visitors without a session get only the guide. The other lists would redirect to the sign-in page. */
function findList(req: Request): NextStep | undefined {
  const [, first = ''] = req.path.split('/');
  return first === 'docs' || findSession(req) ? lists[first] : undefined;
}

function findBatchPage(path: string): NextStep | undefined {
  const [page] = /^\/batches\/[^/]+/.exec(path) ?? [];
  return page ? { href: page, name: 'Back to the batch' } : undefined;
}

/** Returns the page of the form from the Referer header. Returns undefined if the page is on another site. */
function findFormPage(req: Request): NextStep | undefined {
  const from = parseUrl(req.get('referer') ?? '');
  if (from?.host !== req.host) return undefined;
  return { href: toLocalPath(from.pathname + from.search), name: 'Back to the form' };
}
