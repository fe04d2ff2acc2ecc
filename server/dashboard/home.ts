import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { countryCodes, languageCodes } from '../../checks/search/google/locales.ts';
import { loadLocations } from '../../checks/search/locations/locations.ts';
import type { SitemapReading } from '../../checks/sitemap/reader.ts';
import { checkRight } from '../../db/accounts/open-account.ts';
import * as batches from '../../db/batches/batches.ts';
import type { ResultFilter } from '../../db/batches/results.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import type { MonitorRow } from '../../db/monitors/monitors.ts';
import { fileBytesMax } from '../../lists/list.ts';
import { FairLimit } from '../../process/fair-limit.ts';
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
  describePrice,
  fitCheck,
  readChosenCheck,
  readStartedCheck,
  readSwitch,
  saveLabel,
  submitLabel,
  toCheck,
  toPlan,
} from './intake/checks.ts';
import {
  isTooLongToShow,
  listTooLongToShow,
  writeBatchList,
  writeMonitorList,
} from './intake/earlier-lists.ts';
import { fileTooLarge, findFile, receiveFile, releaseListSlot } from './intake/files.ts';
import { type Intake, type IntakeSource, isShort, readIntake } from './intake/intake.ts';
import { findSitemaps, summariseList } from './intake/list-summary.ts';
import { columnsOfFields } from './intake/rank-queries.ts';
import { createSampleList } from './intake/sample.ts';
import { readSitemap } from './intake/sitemap.ts';
import { submitCheck } from './intake/submit-check.ts';
import { findMonitorOfForm, saveMonitorList } from './monitors/monitor-list.ts';
import { findRecentChanges } from './monitors/recent-changes.ts';
import { readTimeZone, submitMonitor } from './monitors/submit-monitor.ts';
import { readQueryText as queryText } from './paging.ts';
import { type Refusal, toRefusal } from './refusal.ts';
import { showFragment, showPage } from './render.ts';
import { findSession, getAuthorization, getSession } from './visitors.ts';

type HandleList = (req: Request, res: Response, state: HomeState) => Promise<void>;

export function homePages(context: DashboardContext) {
  const { db, isSandbox } = context;
  const turns = new FairLimit({ total: 1 });

  /**
   * Handles one long list at a time, accounts in turn. The entries of a list take up to 200 MB of memory. A list also
   * blocks the event loop for up to 15 ms at several points.
   */
  function inTurn(handle: HandleList): HandleList {
    return (req, res, state) => {
      const handleNow = () => handle(req, res, state);
      if (isShort(state.source)) return handleNow();
      return turns.run(getSession(req).accountId, handleNow, { signal: closeSignal(res) });
    };
  }

  const show: RequestHandler = async (req, res) => {
    if (!findSession(req)) {
      return showPage(context, req, res, { view: 'welcome', title: 'Sonde', data: { sampleBatch } });
    }
    const name = await findInitialName(req);
    const { text, fields } = await findInitialList(req, closeSignal(res));
    await showHome(req, res, { source: { text, file: null }, name, fields });
  };

  /** Returns the initial text of the form: the sample, the list of a batch or monitor, or ''. */
  async function findInitialList(
    req: Request,
    signal: AbortSignal,
  ): Promise<{ text: string; fields?: Record<string, string> }> {
    const monitor = await findMonitorOfForm(context, getSession(req).accountId, req.query.monitor);
    if (monitor) {
      const asked = { site: queryText(req, 'site'), isAddition: queryText(req, 'add') !== '' };
      return writeMonitorList(context, monitor, asked, signal);
    }
    if (req.query.sample !== undefined) return { text: createSampleList(isSandbox) };
    const batchId = parseUuid(req.query.from);
    if (!batchId) return { text: '' };
    const selection = { show: queryText(req, 'show') as ResultFilter, search: queryText(req, 'q') };
    const ref = { accountId: getSession(req).accountId, batchId };
    return { text: await writeBatchList(context, ref, selection, signal) };
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
    // The session may have ended while the upload arrived.
    await checkRight(db, getAuthorization(req));
    const source = { text: form.raw('text'), file: await findFile(form) };
    await showIntake(req, res, { source, form });
  };

  /** Handles the buttons of the form. They start a check, save a monitor or list, or read a sitemap. */
  const submit: RequestHandler = async (req, res) => {
    const form = getForm(req);
    const by = getAuthorization(req);
    await checkRight(db, by);
    const state: HomeState = { source: { text: form.raw('text'), file: null }, form };
    try {
      state.source = { ...state.source, file: await findFile(form) };
      const sitemap = readSitemapUrl(form, state.source.text);
      if (!sitemap && readStartedCheck(form) === null) return await showHome(req, res, state);
      // The allowance is checked here and not in middleware, so that the form keeps the typed text.
      await context.allowance.requireRemaining(by.accountId);
      if (sitemap) return await showSitemap(req, res, state, form, sitemap);
    } catch (error) {
      return showHome(req, res, withProblem(res, state, error));
    }
    await submitList(req, res, state);
  };

  /** Adds the URLs of a sitemap to the text of the form. */
  async function showSitemap(
    req: Request,
    res: Response,
    { source }: HomeState,
    form: Form,
    sitemap: string,
  ) {
    releaseParsingSlot(res);
    releaseListSlot(res);
    const { list } = await readIntake(context, source, form, createCaller(req, res));
    const { addresses, unread } = await readSitemap(context, getSession(req).accountId, sitemap);
    const text = source.text.trim();
    // Drops the typed text if it is only a list of sitemaps.
    const listed = findSitemaps(list);
    const kept = text === sitemap || listed.includes(sitemap) ? [] : [text];
    const lines = [...kept, ...addresses].filter((line) => line !== '');
    const others = listed.filter((other) => other !== sitemap);
    const left = [
      ...others.map((address) => ({ address, why: 'Listed in the same file, but not read yet.' })),
      ...unread,
    ];
    const read = { text: lines.join('\n'), file: null };
    await showHome(req, res, { source: read, form, left, isSitemapRead: true });
  }

  const submitList = inTurn(async (req, res, state) => {
    try {
      res.redirect(303, await begin(req, res, state));
    } catch (error) {
      await showHomeNow(req, res, withProblem(res, state, error));
    }
  });

  /** Receives a file as the body, then describes its list or starts the check. */
  const file: RequestHandler = async (req, res) => {
    const form = getForm(req);
    const by = getAuthorization(req);
    const state: HomeState = { source: { text: '', file: await receiveFile(req, form) }, form };
    await checkRight(db, by);
    await (readStartedCheck(form) === null ? showIntake : submitFile)(req, res, state);
  };

  const submitFile = inTurn(async (req, res, state) => {
    try {
      await context.allowance.requireRemaining(getSession(req).accountId);
      res.location(await begin(req, res, state));
      res.status(201).end();
    } catch (error) {
      await showIntakeNow(req, res, withProblem(res, state, error));
    }
  });

  /**
   * Reads the list and starts a check, creates a monitor or saves the list of a monitor. Returns the path of the next
   * page.
   */
  async function begin(req: Request, res: Response, state: HomeState): Promise<string> {
    const form = getForm(req);
    state.intake = await readIntake(context, state.source, form, createCaller(req, res));
    const asked = [context, getAuthorization(req), form, state.intake] as const;
    if (form.text('check') !== 'watch') return submitCheck(...asked);
    if (!form.text('monitor')) return submitMonitor(...asked);
    const { path, flash } = await saveMonitorList(...asked);
    setFlash(context, res, flash);
    return path;
  }

  /** Sends the running and recent batches to htmx. Sends a 204 if nothing has changed. */
  const running: RequestHandler = async (req, res) => {
    const data = await findActivity(db, getSession(req).accountId);
    if (data.version === req.query.seen) return void res.status(204).end();
    showFragment(context, req, res, { view: 'activity', data });
  };

  const suggestLocations: RequestHandler = async (req, res) => {
    const locations = (await loadLocations()).search(queryText(req, 'location'));
    showFragment(context, req, res, { view: 'location-options', data: { locations } });
  };

  /** Sends the parts of the form that depend on the list. */
  async function showIntakeNow(req: Request, res: Response, state: HomeState): Promise<void> {
    const { accountId } = getSession(req);
    const monitor = await findMonitorOfForm(context, accountId, state.form?.text('monitor'));
    const data = { ...(await describe(req, res, state, monitor)), monitor };
    const status = state.problem?.status ?? 200;
    // A client may take long to read the response.
    releaseParsingSlot(res);
    showFragment(context, req, res, { view: 'intake-parts', data, status });
  }

  async function showHomeNow(req: Request, res: Response, state: HomeState): Promise<void> {
    const { source, name = '', fields = {}, form, problem, left = [], isSitemapRead = false } = state;
    if (isTooLongToShow(source.text, source.file?.content ?? null)) throw problem ?? listTooLongToShow();
    const { accountId } = getSession(req);
    const monitor = await findMonitorOfForm(context, accountId, form?.text('monitor') || req.query.monitor);
    const chosen = readChosen(req, form, source.file?.name ?? name, fields);
    const data = {
      ...(await findActivity(db, accountId)),
      recentChanges: await findRecentChanges(context, getSession(req)),
      ...(await describe(req, res, state, monitor)),
      text: source.text,
      once: randomUUID(),
      checkNames,
      monitor,
      countries,
      languages,
      chosen: isSitemapRead ? { ...chosen, sitemap: '' } : chosen,
      /** Values of the fields when the list was opened, to find the fields that the user has changed. */
      shown: Object.keys(columnsOfFields).map((name) => [
        `shown_${name}`,
        form ? form.text(`shown_${name}`) : chosen[name],
      ]),
      left,
      fileBytesMax,
      fileTooLarge,
    };
    releaseParsingSlot(res);
    await showPage(context, req, res, { view: 'home', title: 'Check', data, status: problem?.status ?? 200 });
  }

  const showIntake = inTurn(showIntakeNow);
  const showHome = inTurn(showHomeNow);

  /** Returns the data of the views that depend on the list. */
  async function describe(
    req: Request,
    res: Response,
    { source, form, problem, ...state }: HomeState,
    monitor: MonitorRow | null,
  ) {
    const intake = state.intake ?? (await readIntake(context, source, form, createCaller(req, res)));
    const isAddition = monitor !== null && (form ? form.text('add') : queryText(req, 'add')) !== '';
    const reading = await summariseList(context, intake, form, isAddition ? { db, monitor } : null);
    const check = monitor ? toCheck(monitor.type) : fitCheck(selectedCheck(req, form), reading.kind);
    const isChosen = form ? readChosenCheck(form) !== null : req.query.check === check;
    const credits = await ledger.balance(db, getSession(req).accountId);
    return {
      reading,
      isAddition,
      check,
      isSwitched: !monitor && !isChosen && check === 'ranks' && reading.kind === 'keywords',
      /** The check that we selected in the switch; '' if the user selected it. */
      offered: isChosen ? '' : check,
      plan: reading.monitored.valid > 0 ? toPlan(check, reading.monitored) : null,
      label: monitor ? saveLabel(reading, isAddition) : submitLabel(reading, check),
      price: describePrice(reading),
      credits,
      timezone: form ? readTimeZone(form) : 'UTC',
      // Saving the list of a monitor costs nothing.
      isShort: !monitor && !reading.problem && reading.cost > credits && (problem?.status ?? 402) === 402,
      file: source.file,
      problem: problem?.message ?? null,
      field: problem?.field ?? null,
    };
  }

  return { show, read, submit, file, running, suggestLocations };
}

/** Returns the check in the form or in the query parameter `check`. Default: http. */
function selectedCheck(req: Request, form: Form | undefined): Check {
  if (form) return readStartedCheck(form) ?? readSwitch(form);
  return (Object.keys(checkNames).find((check) => check === req.query.check) as Check | undefined) ?? 'http';
}

/** Adds an error to the form that is shown again. Throws errors that are not for the user. */
function withProblem(res: Response, state: HomeState, error: unknown): HomeState {
  const problem = toRefusal(error);
  res.set(problem.headers);
  return { ...state, problem };
}

const createCaller = (req: Request, res: Response) => ({
  accountId: getSession(req).accountId,
  signal: closeSignal(res),
});

interface HomeState {
  source: IntakeSource;
  intake?: Intake;
  /** Suggested name of the batch. */
  name?: string;
  /** Initial values of the optional fields. */
  fields?: Record<string, string>;
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

/** Returns the values of the optional fields: from the form, otherwise from `fields`, otherwise the defaults. */
function readChosen(
  req: Request,
  form: Form | undefined,
  name: string,
  fields: Record<string, string>,
): Record<string, string> {
  const visitor = findVisitorLocale(req);
  const of = (name: string, fallback: string) => (form ? form.text(name) : fields[name]) || fallback;
  return {
    target: of('target', ''),
    country: of('country', visitor.country),
    location: of('location', ''),
    language: of('language', visitor.language),
    device: of('device', 'desktop'),
    pages: of('pages', '10'),
    full: of('full', ''),
    overview: of('overview', '') === 'yes' ? 'yes' : '',
    match: of('match', ''),
    competitors: of('competitors', ''),
    tag: of('tag', ''),
    sitemap: of('sitemap', ''),
    // If the name is still the name of the previous file, the name of the new file replaces it.
    name: form?.text('name') === form?.text('file_name') ? name : of('name', name),
  };
}

/**
 * Returns country and language of the first entry of Accept-Language that Google knows. Reads at most ten entries.
 * Default: US and en.
 */
function findVisitorLocale(req: Request): { country: string; language: string } {
  for (const tag of req.acceptsLanguages().slice(0, 10)) {
    const { language, region = '' } = toLikelyLocale(tag);
    const isKnown = languages.some(({ code }) => code === language);
    if (isKnown && countries.some(({ code }) => code === region)) return { country: region, language };
  }
  return { country: 'US', language: 'en' };
}

/** Adds the likely region to a language tag: `de` becomes `de-DE`. An invalid tag has no language. */
function toLikelyLocale(tag: string): Pick<Intl.Locale, 'language' | 'region'> {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return { language: '', region: undefined };
  }
}

interface Choice {
  code: string;
  name: string;
}

const countries = named(countryCodes(), 'region');
const languages = named(languageCodes(), 'language');

/** Names the codes and sorts them by name. If Google has two codes for a language, only the first code is listed. */
function named(codes: string[], type: 'region' | 'language'): Choice[] {
  const names = new Intl.DisplayNames(['en'], { type, fallback: 'code' });
  const byName = new Map<string, Choice>();
  for (const code of codes) {
    const name = names.of(code) ?? code;
    if (!byName.has(name)) byName.set(name, { code, name });
  }
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
