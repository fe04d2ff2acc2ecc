import { randomBytes } from 'node:crypto';
import { providerSources } from '../checks/search/registry.ts';
import type { Environment } from '../config/config.ts';
import { readOrCreate } from './data-folder.ts';

/** Returns the environment of `npm start`. Missing variables get defaults for one machine. */
export async function createStartEnvironment(env: Environment): Promise<Environment> {
  return {
    LOG_LEVEL: 'warn',
    SIGNUP: 'open',
    SIGNUP_CREDITS: '100',
    ...(hasProvider(env) ? {} : { SERP_PROVIDERS: 'sandbox' }),
    ...env,
    // Other machines must not connect, because sign-ups get credits and sign-in links are printed.
    HOST: env.HOST || '127.0.0.1',
    SECRET_KEY: env.SECRET_KEY || (await readOrCreate('secret-key', () => randomBytes(32).toString('hex'))),
  };
}

/** Returns whether a variable of a search provider is set. Without such a variable, the sandbox simulates answers. */
function hasProvider(env: Environment): boolean {
  const names = providerSources.flatMap(({ variables }) => variables.map(({ name }) => name));
  return ['SERP_PROVIDERS', ...names].some((name) => env[name]);
}
