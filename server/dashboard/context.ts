import type { Context } from '../context.ts';
import { type Cookies, createCookies } from './cookies.ts';
import { createKnownDevices, type KnownDevices } from './known-devices.ts';
import { createSignInAttempts, type SignInAttempts } from './sign-in-attempts.ts';

export interface DashboardContext extends Context {
  cookies: Cookies;
  devices: KnownDevices;
  signInAttempts: SignInAttempts;
  /** True if the sandbox provider simulates Google's answers. */
  isSandbox: boolean;
}

export function createDashboardContext(context: Context): DashboardContext {
  const { config, db } = context;
  const cookies = createCookies(config.web.baseUrl);
  const devices = createKnownDevices(config, cookies);
  return {
    ...context,
    cookies,
    devices,
    signInAttempts: createSignInAttempts(db, devices),
    isSandbox: config.providers.names?.includes('sandbox') ?? false,
  };
}
