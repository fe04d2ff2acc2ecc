import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { countryCodes, languageCodes } from '../../checks/search/google/locales.ts';
import type { SitemapReading } from '../../checks/sitemap/reader.ts';
import { checkRight } from '../../db/accounts/open-account.ts';
import * as batches from '../../db/batches/batches.ts';
import type { ResultFilter } from '../../db/batches/results.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import { closeSignal, releaseParsingSlot } from '../limits/slots.ts';
import { findActivity } from './batches/activity.ts';
import { sampleBatch } from './batches/sample-batch.ts';
import type { DashboardContext } from './context.ts';
import { setFlash } from './flash.ts';
import { type Form, getForm } from './forms.ts';
import {
  type Check,
  checkNames,
  createButtonLabels,
  readStartedCheck,
  readSwitch,
  toCheck,
} from './intake/checks.ts';
import { writeBatchList, writeMonitorList } from './intake/earlier-lists.ts';
import { readFileText } from './intake/files.ts';
import { readIntake, readIntakePieces } from './intake/intake.ts';
import { type ListSummary, summariseList } from './intake/list-summary.ts';
import { createSampleList } from './intake/sample.ts';
import { readSitemap } from './intake/sitemap.ts';
import { submitCheck } from './intake/submit-check.ts';
import { findMonitorOfForm, saveMonitorList } from './monitors/monitor-list.ts';
import { findRecentChanges } from './monitors/recent-changes.ts';
import { submitMonitor } from './monitors/submit-monitor.ts';
import { readQueryText as queryText } from './paging.ts';
import { type Refusal, toRefusal } from './refusal.ts';
import { showFragment, showPage } from './render.ts';
import { findSession, getAuthorization, getSession } from './visitors.ts';

/** The start page: a form that starts checks, and lists of running and recent batches. */
export function homePages(context: DashboardContext) {
  const { db, isSandbox } = context;

  const show: RequestHandler = async (req, res) => {
    if (!findSession(req)) {
      return showPage(context, req, res, { view: 'welcome', title: 'Sonde', data: { sampleBatch } });
    }
    const name = await findInitialName(req);
    await showHome(req, res, { text: await findInitialText(req, closeSignal(res)), name });
  };

  /** Returns the first text of the form: the sample, the list of a batch or monitor, or ''. */
  async function findInitialText(req: Request, signal: AbortSignal): Promise<string> {
    const monitor = await findMonitorOfForm(context, getSession(req).accountId, req.query.monitor);
    if (monitor) return writeMonitorList(context, monitor, signal);
    if (req.query.sample !== undefined) return createSampleList(isSandbox);
    const batchId = parseUuid(req.query.from);
    if (!batchId) return '';
    const selection = { show: queryText(req, 'show') as ResultFilter, search: queryText(req, 'q') };
    return writeBatchList(context, { accountId: getSession(req).accountId, batchId }, selection, signal);
  }

  /** Returns the name of the batch in the query parameter `from`; '' if there is no batch or name. */
  async function findInitialName(req: Request): Promise<string> {
    const batchId = parseUuid(req.query.from);
    const batch = batchId && (await batches.find(db, { accountId: getSession(req).accountId, batchId }));
    return batch ? (batch.name ?? '') : '';
  }

  /** Describes the list while the user types. Charges nothing. */
  const read: RequestHandler = async (req, res) => {
    const form = getForm(req);
    const { accountId } = getSession(req);
    // The session may have ended while the upload arrived.
    await checkRight(db, getAuthorization(req));
    const intake = await readIntake(form.raw('text'), form);
    const reading = await summariseList(context, intake, form);
    const credits = await ledger.balance(db, accountId);
    const labels = createButtonLabels(reading, readSwitch(form), ofMonitor(form));
    showFragment(context, req, res, { view: 'reading', data: { reading, credits, ...labels } });
  };

  /** Handles the buttons of the form. They start a check, save a monitor or list, or read a sitemap. */
  const submit: RequestHandler = async (req, res) => {
    const form = getForm(req);
    const by = getAuthorization(req);
    const { accountId } = by;
    await checkRight(db, by);
    const file = await form.file('file');
    const text = [form.raw('text'), file].filter((part) => part.trim() !== '').join('\n');
    const sitemap = readSitemapUrl(form, text);
    if (form.text('check') === 'read' && !sitemap) return showHome(req, res, { text, form });
    try {
      // The allowance is checked here and not in middleware. Otherwise, the form would lose its text.
      await context.allowance.requireRemaining(accountId);
      if (sitemap) {
        releaseParsingSlot(res);
        const { addresses, unread } = await readSitemap(context, accountId, sitemap);
        // The typed text stays in the form, unless it is the URL of the sitemap.
        const kept = text.trim() === sitemap ? [] : [text.trim()];
        const lines = [...kept, ...addresses].filter((line) => line !== '');
        return await showHome(req, res, { text: lines.join('\n'), form, left: unread, isSitemapRead: true });
      }
      const begun = await begin(context, by, form, await readIntake(text, form));
      if (form.text('monitor')) setFlash(context, res, saved);
      res.redirect(303, begun);
    } catch (error) {
      const problem = toRefusal(error);
      res.set(problem.headers);
      await showHome(req, res, { text, form, problem });
    }
  };

  /** Reads a file that is too long for the text field. Then describes its list or starts the check. */
  const file: RequestHandler = async (req, res) => {
    const form = getForm(req);
    const by = getAuthorization(req);
    const { accountId } = by;
    const intake = await readIntakePieces(readFileText(req), form);
    await checkRight(db, by);
    let problem: Refusal | null = null;
    if (form.text('check') !== 'read') {
      try {
        await context.allowance.requireRemaining(accountId);
        const begun = await begin(context, by, form, intake);
        if (form.text('monitor')) setFlash(context, res, saved);
        return void res.status(201).location(begun).end();
      } catch (error) {
        problem = toRefusal(error);
        res.set(problem.headers);
      }
    }
    const reading = await summariseList(context, intake, form);
    const credits = await ledger.balance(db, accountId);
    const labels = createButtonLabels(reading, readSwitch(form), ofMonitor(form));
    const data = { reading, credits, ...labels, refusal: problem?.message };
    showFragment(context, req, res, { view: 'reading', data, status: problem?.status ?? 200 });
  };

  /** Sends the running and recent batches to htmx. Sends a 204 if nothing has changed. */
  const running: RequestHandler = async (req, res) => {
    const data = await findActivity(db, getSession(req).accountId);
    if (data.version === req.query.seen) return void res.status(204).end();
    showFragment(context, req, res, { view: 'activity', data });
  };

  async function showHome(
    req: Request,
    res: Response,
    { text, name = '', form, problem, left = [], isSitemapRead = false }: HomeState,
  ): Promise<void> {
    const { accountId } = getSession(req);
    const intake = await readIntake(text, form);
    const reading = await summariseList(context, intake, form);
    const chosen = { ...readChosen(form, name), ...(isSitemapRead ? { sitemap: '' } : {}) };
    const monitor = await findMonitorOfForm(context, accountId, form?.text('monitor') || req.query.monitor);
    const asked = form ? (readStartedCheck(form) ?? readSwitch(form)) : chooseCheck(req, reading);
    const check = monitor ? toCheck(monitor.type) : asked;
    const data = {
      ...(await findActivity(db, accountId)),
      recentChanges: await findRecentChanges(context, getSession(req)),
      text,
      once: randomUUID(),
      reading,
      check,
      checkNames,
      monitor,
      ...createButtonLabels(reading, check, { isOfMonitor: monitor !== null }),
      problem: problem?.message ?? null,
      field: problem?.field ?? null,
      countries,
      languages,
      chosen,
      left,
    };
    await showPage(context, req, res, { view: 'home', title: 'Check', data, status: problem?.status ?? 200 });
  }

  return { show, read, submit, file, running };
}

const saved = { tone: 'good', text: 'Saved. The next run uses this list.' } as const;
const ofMonitor = (form: Form) => ({ isOfMonitor: form.text('monitor') !== '' });

/** Starts a check, creates a monitor or saves a monitor's list. Returns the path of the next page. */
function begin(...asked: Parameters<typeof submitCheck>): Promise<string> {
  const [, , form] = asked;
  if (form.text('check') === 'watch' && form.text('monitor')) return saveMonitorList(...asked);
  return form.text('check') === 'watch' ? submitMonitor(...asked) : submitCheck(...asked);
}

/** Returns the check in the query parameter `check`. If it is missing, returns a check that fits the list. */
function chooseCheck(req: Request, { kind }: ListSummary): Check {
  const asked = Object.keys(checkNames).find((check) => check === req.query.check) as Check | undefined;
  return asked ?? (kind === 'keywords' ? 'ranks' : 'http');
}

interface HomeState {
  text: string;
  /** Suggested name of the batch. */
  name?: string;
  form?: Form;
  problem?: Refusal;
  /** Sitemaps that were not read completely. */
  left?: SitemapReading['unread'];
  isSitemapRead?: boolean;
}

/** Returns the URL of the sitemap to read; '' if no sitemap was requested. */
function readSitemapUrl(form: Form, text: string): string {
  const [check, named] = [form.text('check'), form.text('sitemap')];
  if (form.text('read_sitemap')) return form.text('read_sitemap');
  if (check === 'sitemap') return named || text.trim();
  return check === 'read' ? named : '';
}

/** Returns the submitted values of the optional fields, or the defaults. */
function readChosen(form: Form | undefined, name: string): Record<string, string> {
  const of = (name: string, fallback: string) => form?.text(name) || fallback;
  return {
    target: of('target', ''),
    country: of('country', 'US'),
    language: of('language', 'en'),
    device: of('device', 'desktop'),
    pages: of('pages', '10'),
    match: of('match', ''),
    competitors: of('competitors', ''),
    tag: of('tag', ''),
    sitemap: of('sitemap', ''),
    name: of('name', name),
  };
}

interface Choice {
  code: string;
  name: string;
}

const countries = named(countryCodes(), 'region');
const languages = named(languageCodes(), 'language');

/** Names the codes and sorts them by name. Google has two codes for some languages. Only the first is listed. */
function named(codes: string[], type: 'region' | 'language'): Choice[] {
  const names = new Intl.DisplayNames(['en'], { type, fallback: 'code' });
  const byName = new Map<string, Choice>();
  for (const code of codes) {
    const name = names.of(code) ?? code;
    if (!byName.has(name)) byName.set(name, { code, name });
  }
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
