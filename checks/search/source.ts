import { ConfigError, type Environment, isServiceUrl, readText } from '../../config/settings.ts';
import type { SerpProvider } from './serp.ts';

export interface ProviderVariable {
  name: string;
  description: string;
  example: string;
  isSecret: boolean;
  /** True if the provider needs it. Other variables have defaults. */
  isRequired: boolean;
  isUrl?: true;
  fallback?: string;
}

export interface ProviderSource {
  name: string;
  variables: readonly ProviderVariable[];
  /** True if its answers are simulated. Such a provider is used only if it is named, and only alone. */
  isSimulated?: true;
  /** `timeoutMs` is per call. Throws `ConfigError` if a variable is missing or malformed. */
  create(env: Environment, timeoutMs: number): SerpProvider;
}

/** Creates a required variable for a key, password or name. */
export function secretVariable(name: string, what: string, example = '0123456789abcdef'): ProviderVariable {
  return { name, description: what, example, isSecret: true, isRequired: true };
}

/** Creates a variable for the URL of a proxy that replaces `fallback`, the provider's own URL. */
export function proxyUrlVariable(name: string, example: string, fallback: string): ProviderVariable {
  const what = "the URL of a proxy that replaces the provider's own URL";
  return { name, description: what, example, isSecret: false, isRequired: false, isUrl: true, fallback };
}

/** Creates a required variable for the URL of a server of the operator. */
export function serverUrlVariable(name: string, example: string): ProviderVariable {
  const description = 'the URL of your own server';
  return { name, description, example, isSecret: false, isRequired: true, isUrl: true };
}

/** Returns the URL of a provider; null for the sandbox. Throws `ConfigError`. */
export function getProviderUrl({ variables }: ProviderSource, env: Environment): string | null {
  const variable = variables.find(({ isUrl }) => isUrl);
  return variable ? readVariable(variable, env) : null;
}

/**
 * Returns whether all required variables are set. Returns false for a provider without required variables. Such a
 * provider is used only if SERP_PROVIDERS names it.
 */
export function isConfigured({ variables }: ProviderSource, env: Environment): boolean {
  const required = variables.filter(({ isRequired }) => isRequired);
  return required.length > 0 && required.every((variable) => readText(env, variable.name) !== null);
}

/** Throws `ConfigError` if only some of the required variables are set, or a URL is invalid. */
export function validateVariables({ variables }: ProviderSource, env: Environment): void {
  for (const variable of variables) if (readText(env, variable.name) !== null) readVariable(variable, env);
  const required = variables.filter(({ isRequired }) => isRequired);
  const given = required.find((variable) => readText(env, variable.name) !== null);
  const missing = required.find((variable) => readText(env, variable.name) === null);
  if (given && missing) {
    throw new ConfigError(missing.name, `is not set, but ${given.name} is`, missing.example);
  }
}

/** Returns the value of a variable. Throws `ConfigError` if it is not set and has no default, or is invalid. */
export function readVariable(variable: ProviderVariable, env: Environment): string {
  const value = readText(env, variable.name) ?? variable.fallback;
  if (value === undefined) {
    throw new ConfigError(variable.name, 'is not set', variable.example);
  }
  if (!variable.isUrl || isServiceUrl(value)) return value;
  const problem = `must be an http or https URL without user name, query or fragment, not "${value}"`;
  throw new ConfigError(variable.name, problem, variable.example);
}
