import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import * as memberships from '../../db/accounts/memberships.ts';
import type { Session } from '../../db/accounts/sessions.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { isRoleAtLeast, type Role } from '../../schemas/members.ts';
import { assetUrl } from './assets.ts';
import { toContactLink } from './contact.ts';
import type { DashboardContext } from './context.ts';
import { takeFlash } from './flash.ts';
import * as format from './format.ts';
import { formToken } from './forms.ts';
import type { Refusal } from './refusal.ts';
import { findSession } from './visitors.ts';

const eta = new Eta({ views: fileURLToPath(new URL('./views', import.meta.url)), cache: true });

interface PageToRender {
  view: string;
  title: string;
  data?: object;
  status?: number;
  /** Error of the page's form. It sets the status and the headers of the response. */
  refusal?: Refusal;
}

/** Sends a page: the view in the layout, the balance and the flash message. */
export async function showPage(
  context: DashboardContext,
  req: Request,
  res: Response,
  { view, title, data = {}, refusal, status = refusal?.status ?? 200 }: PageToRender,
): Promise<void> {
  const session = findSession(req);
  const credits = session && (await ledger.balance(context.db, session.accountId));
  const accounts = session ? await accountChoice(context, session) : [];
  const page = {
    ...common(context, req, res),
    flash: takeFlash(context, req, res),
    title,
    path: req.path,
    session,
    credits,
    accounts,
    isSignUpOpen: context.config.signUp.isOpen,
    isSandbox: context.isSandbox,
    ...fieldFault(refusal),
    ...data,
  };
  res.set(refusal?.headers ?? {});
  send(res, status, eta.render(view, page));
}

/** Sends a fragment of a page for htmx. */
export function showFragment(
  context: DashboardContext,
  req: Request,
  res: Response,
  { view, data = {}, status = 200 }: Omit<PageToRender, 'title' | 'refusal'>,
): void {
  send(res, status, eta.render(view, { ...common(context, req, res), ...data }));
}

/** Renders a view without a request, such as a part of a streamed page. */
export function renderView(view: string, data: object): string {
  return eta.render(view, { ...format, assetUrl, ...data });
}

function common(context: DashboardContext, req: Request, res: Response): object {
  return {
    ...format,
    assetUrl,
    mailMode: context.mail,
    /** True if the visitor is signed in with at least this role. */
    may: (needed: Role) =>
      isRoleAtLeast(findSession(req)?.role ?? 'viewer', needed) && findSession(req) !== null,
    formToken: formToken(context, req, res),
    baseUrl: context.config.web.baseUrl,
    contact: toContactLink(context.config.web.contact),
  };
}

function send(res: Response, status: number, html: string): void {
  res.status(status).set('Cache-Control', 'no-store').type('html').send(html);
}

/** Lists the accounts of a user, named by id and first owner. Returns [] for a user with one account. */
async function accountChoice({ db }: Pick<DashboardContext, 'db'>, { userId }: Session) {
  const all = await memberships.listAccounts(db, userId);
  if (all.length < 2) return [];
  return Promise.all(
    all.map(async ({ accountId }) => {
      const [first] = await memberships.listOwners(db, accountId);
      return { accountId, name: `${accountId}: ${first?.email ?? 'no owner'}` };
    }),
  );
}

/** Returns helpers that views use to show the error of a rejected form. */
function fieldFault(refusal: Refusal | undefined) {
  const { field = null, message = null } = refusal ?? {};
  return {
    /** The message above the form. Null if the message belongs to a field. */
    problem: field === null ? message : null,
    /** Returns the message of a field; null if the field is valid. */
    faultFor: (name: string) => (name === field ? message : null),
    /** Returns safe HTML attributes of an input. They mark and focus an invalid field, and name the hint. */
    invalid: (name: string, hintId?: string) => {
      if (name !== field) return hintId ? ` aria-describedby="${hintId}"` : '';
      const describedBy = [`${name}-fault`, hintId].filter(Boolean).join(' ');
      return ` aria-invalid="true" aria-describedby="${describedBy}" autofocus`;
    },
    /** Attribute that focuses the first field; '' if an invalid field gets the focus. */
    firstFocus: field === null ? ' autofocus' : '',
  };
}
