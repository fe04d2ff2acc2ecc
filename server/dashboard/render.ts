import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import * as memberships from '../../db/accounts/memberships.ts';
import type { Session } from '../../db/accounts/sessions.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { isAtLeast, type Role } from '../../schemas/members.ts';
import { assetUrl } from './assets.ts';
import { contactOf } from './contact.ts';
import type { DashboardContext } from './context.ts';
import { takeFlash } from './flash.ts';
import * as format from './format.ts';
import { formToken } from './forms.ts';
import type { Refusal } from './refusal.ts';
import { sessionIfAny } from './visitors.ts';

// Escapes by default.
const eta = new Eta({ views: fileURLToPath(new URL('./views', import.meta.url)), cache: true });

export interface PageToRender {
  view: string;
  title: string;
  data?: object;
  status?: number;
  /** Why a form of it was refused; the page has its status and headers then. */
  refusal?: Refusal;
}

/** A whole page: the view within the layout, with the balance and whatever the page before had to say. */
export async function showPage(
  context: DashboardContext,
  req: Request,
  res: Response,
  { view, title, data = {}, refusal, status = refusal?.status ?? 200 }: PageToRender,
): Promise<void> {
  const session = sessionIfAny(req);
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

/** A part of a page, for htmx to put in place. */
export function showPart(
  context: DashboardContext,
  req: Request,
  res: Response,
  { view, data = {}, status = 200 }: Omit<PageToRender, 'title' | 'refusal'>,
): void {
  send(res, status, eta.render(view, { ...common(context, req, res), ...data }));
}

/** A part of a page that is sent as it is written, and knows nothing of who reads it. */
export function renderText(view: string, data: object): string {
  return eta.render(view, { ...format, assetUrl, ...data });
}

function common(context: DashboardContext, req: Request, res: Response): object {
  return {
    ...format,
    assetUrl,
    mailMode: context.mail,
    /** Whether who looks may do what takes this role; nobody who is not signed in may. */
    may: (needed: Role) =>
      isAtLeast(sessionIfAny(req)?.role ?? 'viewer', needed) && sessionIfAny(req) !== null,
    formToken: formToken(context, req, res),
    baseUrl: context.config.web.baseUrl,
    contact: contactOf(context.config.web.contact),
  };
}

function send(res: Response, status: number, html: string): void {
  res.status(status).set('Cache-Control', 'no-store').type('html').send(html);
}

/** An account that somebody may go on in, by what tells it from the others. */
interface AccountChoice {
  accountId: number;
  name: string;
}

/** The accounts of whoever is in several, by their first owners; none for whoever has nothing to choose. */
async function accountChoice(
  { db }: Pick<DashboardContext, 'db'>,
  { userId }: Session,
): Promise<AccountChoice[]> {
  const all = await memberships.accountsOf(db, userId);
  if (all.length < 2) return [];
  return Promise.all(
    all.map(async ({ accountId }) => {
      const [first] = await memberships.ownersOf(db, accountId);
      return { accountId, name: `${accountId}: ${first?.email ?? 'nobody’s'}` };
    }),
  );
}

/** What a view asks about a form that was refused; `invalid` is text of ours, for a tag. */
interface FieldFault {
  /** Why, where it is no field's fault; else null. */
  problem: string | null;
  /** What is wrong with a field; null when nothing is said of it. */
  faultOf(field: string): string | null;
  /** Attributes for the field at fault, which has the focus then; for others what names its hint, if it has one. */
  invalid(field: string, hintId?: string): string;
  /** The attribute for the field that one begins with; none where another is at fault. */
  firstFocus: string;
}

/** A refusal as views show it: at the field that is at fault, or above the form. */
function fieldFault(refusal: Refusal | undefined): FieldFault {
  const { field = null, message = null } = refusal ?? {};
  return {
    problem: field === null ? message : null,
    faultOf: (name) => (name === field ? message : null),
    invalid: (name, hintId) => {
      if (name !== field) return hintId ? ` aria-describedby="${hintId}"` : '';
      const describedBy = [`${name}-fault`, hintId].filter(Boolean).join(' ');
      return ` aria-invalid="true" aria-describedby="${describedBy}" autofocus`;
    },
    firstFocus: field === null ? ' autofocus' : '',
  };
}
