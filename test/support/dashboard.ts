import type { Context } from 'mocha';
import { type HTMLElement, parse } from 'node-html-parser';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import * as sessions from '../../db/accounts/sessions.ts';
import * as users from '../../db/accounts/users.ts';
import type { TestAccount } from './accounts.ts';
import { borrowBrowser, openWindow } from './browser.ts';
import type { TestService } from './service.ts';
import { uncompressed } from './web.ts';

/** Returns the session id of a user of an account, signed in without a password. */
export async function signedIn({ db }: Pick<TestService, 'db'>, account: TestAccount): Promise<string> {
  const email = `user-${account.accountId}@example.com`;
  const userId =
    (await users.findFirstOwner(db, account.accountId)) ??
    (await users.create(db, { accountId: account.accountId, email, passwordHash: null }));
  return sessions.begin(db, userId);
}

/** Returns a client with a session of a user of an account. */
export async function visit(service: TestService, account: TestAccount): Promise<FormClient> {
  return withSession(service, await signedIn(service, account));
}

/** Signs a user of an account in for a suite. `isForEach`: once for each test, as a new visitor. */
export function useVisit(service: TestService, account: TestAccount, { isForEach = false } = {}): FormClient {
  const client = new FormClient('');
  const begin = isForEach ? beforeEach : before;
  begin(async () => {
    client.baseUrl = service.baseUrl;
    client.cookies.clear();
    client.cookies.set('sonde_session', await signedIn(service, account));
  });
  return client;
}

/** Returns a client with a session of a user. */
export async function visitAs(
  service: TestService,
  userId: number,
  of?: Parameters<typeof sessions.begin>[2],
): Promise<FormClient> {
  return withSession(service, await sessions.begin(service.db, userId, of));
}

function withSession({ baseUrl }: TestService, sessionId: string): FormClient {
  const client = new FormClient(baseUrl);
  client.cookies.set('sonde_session', sessionId);
  return client;
}

/** Signs a user of an account in, in a browser window. */
export async function enter(
  context: BrowserContext,
  service: Pick<TestService, 'db' | 'baseUrl'>,
  account: TestAccount,
): Promise<void> {
  const value = await signedIn(service, account);
  await context.addCookies([{ name: 'sonde_session', value, url: service.baseUrl }]);
}

/** Opens a window, until the end of the test, in which a user of an account is signed in. */
export async function openAs(
  test: Context,
  service: Pick<TestService, 'db' | 'baseUrl'>,
  account: TestAccount,
  options: BrowserContextOptions = {},
) {
  const window = await openWindow(await borrowBrowser(test), service.baseUrl, options);
  await enter(window.context, service, account);
  return window;
}

/** A minimal browser: it keeps cookies and sends forms. */
export class FormClient {
  baseUrl: string;
  readonly cookies = new Map<string, string>();

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  async get(path: string, headers: Record<string, string> = {}) {
    return this.#fetch(path, { headers });
  }

  /** Returns the elements of a page. */
  async open(path: string, headers: Record<string, string> = {}) {
    return parse((await this.get(path, headers)).text);
  }

  /** Sends a form with the token of the page `from`: by default the nearest page at or above the path. */
  async post(
    path: string,
    fields: Record<string, string | File> = {},
    { from, headers = {} }: { from?: string; headers?: Record<string, string> } = {},
  ) {
    const { text } = await (from === undefined ? this.#findPage(path) : this.get(from));
    const body = findEncoding(text, path);
    for (const [name, value] of Object.entries({ form_token: fieldIn(text, 'form_token'), ...fields }))
      body.set(name, value as string);
    return this.#fetch(path, {
      method: 'POST',
      body,
      headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    });
  }

  /** Submits the form of the page behind a mailed link. */
  async press(path: string, fields: Record<string, string> = {}) {
    const token = new URLSearchParams(path.split('?')[1]).get('token') ?? '';
    return this.post(path.split('?')[0] ?? '', { token, ...fields }, { from: path });
  }

  /** Returns the nearest page with a form at or above a path. */
  async #findPage(path: string) {
    let page = await this.get(path);
    for (let at = path; at !== '/' && (page.status !== 200 || !page.text.includes('form_token')); ) {
      at = at.slice(0, at.lastIndexOf('/')) || '/';
      page = await this.get(at);
    }
    return page;
  }

  async #fetch(path: string, init: RequestInit) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.baseUrl}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { Cookie: cookie, ...uncompressed, ...init.headers },
    });
    const setCookies = response.headers.getSetCookie();
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { status, headers } = response;
    const location = headers.get('location') ?? '';
    return { status, headers, setCookies, location, text: await response.text() };
  }
}

/** Creates a monitor with the form of the start page, which has shown its plan. Also returns the text of the plan. */
export async function createByForm(browser: FormClient, form: Record<string, string>) {
  const { text } = await browser.post('/read', form, { from: '/' });
  const shown = { understood: fieldIn(text, 'understood'), plan: fieldIn(text, 'plan') };
  const made = await browser.post('/', { ...form, ...shown }, { from: '/' });
  return { made, plan: toText(parse(text).querySelector('#plan')) };
}

/** Returns the text of an element, on one line. */
export function toText(element: HTMLElement | null | undefined): string {
  return element?.text.replaceAll(/\s+/g, ' ').trim() ?? '';
}

/** Returns the alert of a page. */
export function alertIn(text: string): string | undefined {
  return /role="alert">([^<]*)/.exec(text)?.[1];
}

/** Returns the value of a form field in a page, or ''. */
export function fieldIn(text: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
}

/** Returns an empty body in the encoding of a page's form for a path. */
function findEncoding(page: string, path: string): FormData | URLSearchParams {
  // A script posts the form of the start page to this path, too.
  const action = path === '/read' ? '/' : path;
  const isMultipart = page
    .split('<')
    .some(
      (tag) => /multipart\/form-data/.test(tag) && tag.match(/(?:action|hx-post)="([^"]+)/)?.[1] === action,
    );
  return isMultipart ? new FormData() : new URLSearchParams();
}

/** Chooses the type of check in the form, and submits it. */
export async function beginCheck(page: Page, check: 'http' | 'index' | 'ranks'): Promise<void> {
  await page.locator(`.switch [value=${check}]`).check();
  await page.locator('#go').click();
}
