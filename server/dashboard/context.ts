import type { Context } from '../context.ts';
import { type Cookies, createCookies } from './cookies.ts';
import { createTries, type Tries } from './tries.ts';

/** What the pages may use, beyond what handlers may. */
export interface DashboardContext extends Context {
  cookies: Cookies;
  tries: Tries;
  /** Answers of Google are invented. */
  isSandbox: boolean;
}

export function createDashboardContext(context: Context): DashboardContext {
  const { config, db } = context;
  return {
    ...context,
    cookies: createCookies(config.web.baseUrl),
    tries: createTries(db),
    isSandbox: config.providers.names?.includes('sandbox') ?? false,
  };
}
