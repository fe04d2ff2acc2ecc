import { setImmediate } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import * as accounts from '../../../db/accounts/accounts.ts';
import * as batches from '../../../db/batches/batches.ts';
import type { ItemRow } from '../../../db/batches/items.ts';
import * as reportLinks from '../../../db/batches/report-links.ts';
import * as results from '../../../db/batches/results.ts';
import { ApiError } from '../../../process/api-error.ts';
import { FairLimit } from '../../../process/fair-limit.ts';
import { sendText } from '../../api/results/stream.ts';
import { notFound } from '../../http/errors.ts';
import { closeSignal } from '../../limits/slots.ts';
import type { DashboardContext } from '../context.ts';
import { toDetailedItemView } from '../evidence/evidence.ts';
import { type Share, toOverlappingShares } from '../evidence/shares.ts';
import { sendLogo } from '../logo.ts';
import { renderView } from '../render.ts';
import { toBatchView } from './batch-view.ts';
import { findBatch } from './find-batch.ts';

const rowsPerPiece = 50;
const readsPerMinute = 30;
// Time limit for sending a report of 1 or 2 MB. A slower client would occupy a slot for too long.
const sentForMs = 600_000;

/** Reports of batches, to print or to share by a link. The worst results come first. */
export function reportPages(context: DashboardContext) {
  const { db, stopping } = context;
  // Each link has its own slots, so that its readers take no slots from the account or from other links.
  const linkReaders = new FairLimit({ total: Number.POSITIVE_INFINITY, perAccount: 4 });
  const reads = new RateLimiterMemory({ points: readsPerMinute, duration: 60 });
  const logoReads = new RateLimiterMemory({ points: readsPerMinute, duration: 60 });

  const own: RequestHandler = async (req, res) => {
    const batch = await findBatch(context, req);
    await context.exports.run(batch.accountId, () => send(res, batch, '/settings/logo'), {
      signal: closeSignal(res),
    });
  };

  const shared: RequestHandler = async (req, res) => {
    const { linkId, ...ref } = await findLink(req, reads);
    const batch = await batches.find(db, ref);
    if (!batch) throw missingReport();
    const logoHref = `/report/logo?key=${req.query.key}`;
    await linkReaders.run(linkId, () => send(res, batch, logoHref), { signal: closeSignal(res) });
  };

  const sharedLogo: RequestHandler = async (req, res) => {
    const { accountId } = await findLink(req, logoReads);
    await sendLogo(context, req, res, accountId);
  };

  /** Finds the link of a request. Throws a 404 for any invalid link, and a 429 after too many requests. */
  async function findLink(req: Request, limit: RateLimiterMemory) {
    const key = reportLinks.parseKey(req.query.key);
    const link = key && (await reportLinks.find(db, key));
    if (!link) throw missingReport();
    await limit.consume(link.linkId).catch(() => {
      throw new ApiError('rate_limited', 'Too many requests for this report. Try again in a minute.', {
        retryAfterSeconds: 60,
      });
    });
    return link;
  }

  async function send(res: Response, batch: batches.BatchRow, logoHref: string): Promise<void> {
    res.set({
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
    });
    res.type('html');
    await sendText(res, renderReport(batch, logoHref), stopping, { forMs: sentForMs });
  }

  /** Renders the report, a few rows at a time. */
  async function* renderReport(batch: batches.BatchRow, logoHref: string): AsyncGenerator<string> {
    const view = toBatchView(batch);
    const isKept = batch.purgedAt === null;
    // Redirected URLs have a list of their own. They are also in the list of their status, but that list is collapsed
    // if the status is good.
    const redirected = toOverlappingShares(batch).filter(({ show }) => show === 'redirected');
    const profile = await accounts.findProfile(db, batch.accountId);
    yield renderView('report-head', { batch: view, row: batch, isKept, profile, logoHref });
    for (const share of isKept ? worstFirst([...view.shares, ...redirected]) : []) {
      const isOpen = batch.type === 'keyword' || share.tone !== 'good';
      yield renderView('report-share', { share, isOpen, type: batch.type });
      for await (const page of readPages(batch, share)) {
        const data = {
          items: page.map((item) => toDetailedItemView(item, batch, { hidesProvider: true })),
          isKeyword: batch.type === 'keyword',
          isHttp: batch.type === 'http',
        };
        yield renderView('report-rows', data);
      }
      yield renderView('report-share-end', {});
    }
    yield renderView('report-end', {});
  }

  async function* readPages(batch: batches.BatchRow, { show }: Share): AsyncGenerator<ItemRow[]> {
    for (let afterPosition = -1; ; ) {
      const window = { show, afterPosition, limit: rowsPerPiece };
      const page = await results.pageAfter(db, batch, window);
      await setImmediate();
      if (page.length > 0) yield page;
      if (page.length < rowsPerPiece) return;
      afterPosition = page.at(-1)?.position ?? afterPosition;
    }
  }

  return { own, shared, sharedLogo };
}

const order: Array<Share['tone']> = [
  ...(['bad', 'warn', 'low'] as const),
  ...(['info', 'soft', 'good', 'mute', 'faint'] as const),
];

function worstFirst(shares: Share[]): Share[] {
  return shares
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => order.indexOf(one.tone) - order.indexOf(other.tone));
}

function missingReport(): ApiError {
  return notFound(
    'This report does not exist, or its link has expired or was revoked. Ask the person who sent you the link for a new one.',
  );
}
