import { randomBytes } from 'node:crypto';
import { providerSources } from '../checks/search/registry.ts';
import type { Environment } from '../config/config.ts';
import { kept } from './kept.ts';

/** For `npm start`: what is unset gets a value that suits one machine, the rest stands as the operator wrote it. */
export async function startEnvironment(env: Environment): Promise<Environment> {
  return {
    LOG_LEVEL: 'warn',
    SIGNUP: 'open',
    SIGNUP_CREDITS: '100',
    ...(hasProvider(env) ? {} : { SERP_PROVIDERS: 'sandbox' }),
    ...env,
    // Whoever signs up here gets credits, and links that sign in are printed: not for the neighbours in a network.
    HOST: env.HOST || '127.0.0.1',
    SECRET_KEY: env.SECRET_KEY || (await kept('secret-key', () => randomBytes(32).toString('hex'))),
  };
}

/** Whether the operator named or began to set up a provider of search results; if not, answers are invented. */
function hasProvider(env: Environment): boolean {
  const names = providerSources.flatMap(({ variables }) => variables.map(({ name }) => name));
  return ['SERP_PROVIDERS', ...names].some((name) => env[name]);
}
