import type { Context } from '../context.ts';
import { type Cookies, createCookies } from './cookies.ts';
import { createDevices, type Devices } from './devices.ts';
import { createTries, type Tries } from './tries.ts';

export interface DashboardContext extends Context {
  cookies: Cookies;
  devices: Devices;
  tries: Tries;
  /** True if the sandbox provider invents Google's answers. */
  isSandbox: boolean;
}

export function createDashboardContext(context: Context): DashboardContext {
  const { config, db } = context;
  const cookies = createCookies(config.web.baseUrl);
  const devices = createDevices(config, cookies);
  return {
    ...context,
    cookies,
    devices,
    tries: createTries(db, devices),
    isSandbox: config.providers.names?.includes('sandbox') ?? false,
  };
}
