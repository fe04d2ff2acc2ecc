import type { Request } from 'express';
import { parseUrl } from '../../net/url.ts';
import { ownPath } from './own-path.ts';
import { sessionIfAny } from './visitors.ts';

interface WayOn {
  href: string;
  name: string;
}

const firstPage: WayOn = { href: '/', name: 'Back to the first page' };

/** From a link that has ended to a new one, or to where one gets in without. */
const fromLinks: Record<string, WayOn> = {
  '/reset': { href: '/forgot', name: 'Ask for a new link' },
  '/sign-in/link/follow': { href: '/sign-in/link', name: 'Ask for a new link' },
  '/confirm': { href: '/sign-in', name: 'Sign in' },
  '/confirm-email': { href: '/settings', name: 'To your settings' },
  '/start': { href: '/sign-in', name: 'Sign in' },
};

/** The list in which one finds what is not at an address, by how that begins. */
const lists: Record<string, WayOn> = {
  batches: { href: '/batches', name: 'To your batches' },
  submissions: { href: '/batches', name: 'To your batches' },
  monitors: { href: '/monitors', name: 'To your monitors' },
  ranks: { href: '/ranks', name: 'To your ranks' },
  tokens: { href: '/tokens', name: 'To your tokens' },
  webhooks: { href: '/webhooks', name: 'To your webhooks' },
  members: { href: '/members', name: 'To the members' },
  docs: { href: '/docs', name: 'To the guide' },
};

/** Where somebody goes from an error: what helps against this one, and the first page. */
export function waysOn(req: Request, status: number): WayOn[] {
  const way = wayOn(req, status);
  return way && way.href !== firstPage.href ? [way, firstPage] : [way ?? firstPage];
}

function wayOn(req: Request, status: number): WayOn | undefined {
  if (status < 500 && fromLinks[req.path]) return fromLinks[req.path];
  if (status === 410) return batchOf(req.path);
  if (status === 404) return listOf(req);
  if (req.method === 'POST') return formOf(req);
  if (status === 429 || status >= 500) return { href: ownPath(req.originalUrl), name: 'Try this page again' };
  if (status === 403 && sessionIfAny(req)) return { href: '/members', name: 'See who gives roles' };
  return undefined;
}

/** Whoever is not signed in would be sent to sign in by a list of an account. */
function listOf(req: Request): WayOn | undefined {
  const [, first = ''] = req.path.split('/');
  return first === 'docs' || sessionIfAny(req) ? lists[first] : undefined;
}

function batchOf(path: string): WayOn | undefined {
  const [page] = /^\/batches\/[^/]+/.exec(path) ?? [];
  return page ? { href: page, name: 'Back to the batch' } : undefined;
}

/** The page that a form was sent from, as the browser says; no other site is led to. */
function formOf(req: Request): WayOn | undefined {
  const from = parseUrl(req.get('referer') ?? '');
  if (from?.host !== req.host) return undefined;
  return { href: ownPath(from.pathname + from.search), name: 'Back to the form' };
}
