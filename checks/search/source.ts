import { formatSettingError, OperatorError } from '../../process/operator-error.ts';
import type { SerpProvider } from './serp.ts';

export type Environment = Record<string, string | undefined>;

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
  /** `timeoutMs` is per call. Throws `OperatorError` if a variable is missing or malformed. */
  create(env: Environment, timeoutMs: number): SerpProvider;
}

/** Creates a required variable for a key, password or name. */
export function secretVariable(name: string, what: string, example = '0123456789abcdef'): ProviderVariable {
  return { name, description: what, example, isSecret: true, isRequired: true };
}

/** Creates a variable for the URL of a proxy, which replaces the provider's own URL, `fallback`. */
export function proxyUrlVariable(name: string, example: string, fallback: string): ProviderVariable {
  const what = "the URL of a proxy that replaces the provider's own URL";
  return { name, description: what, example, isSecret: false, isRequired: false, isUrl: true, fallback };
}

/** Returns the URL of a provider; null for the sandbox. Throws `OperatorError`. */
export function getProviderUrl({ variables }: ProviderSource, env: Environment): string | null {
  const variable = variables.find(({ isUrl }) => isUrl);
  return variable ? readVariable(variable, env) : null;
}

/**
 * Returns whether all required variables are set. Returns false for a provider without required variables, which must
 * be named.
 */
export function isConfigured({ variables }: ProviderSource, env: Environment): boolean {
  const required = variables.filter(({ isRequired }) => isRequired);
  return required.length > 0 && required.every((variable) => findValue(variable, env) !== null);
}

/** Throws `OperatorError` if only some of the required variables are set, or a URL is invalid. */
export function validateVariables({ variables }: ProviderSource, env: Environment): void {
  for (const variable of variables) if (findValue(variable, env) !== null) readVariable(variable, env);
  const required = variables.filter(({ isRequired }) => isRequired);
  const given = required.find((variable) => findValue(variable, env) !== null);
  const missing = required.find((variable) => findValue(variable, env) === null);
  if (given && missing) {
    throw new OperatorError(
      formatSettingError(missing.name, `is not set, but ${given.name} is`, missing.example),
    );
  }
}

/** Returns the value of a variable. Throws `OperatorError` if it is not set and has no default, or is invalid. */
export function readVariable(variable: ProviderVariable, env: Environment): string {
  const value = findValue(variable, env) ?? variable.fallback;
  if (value === undefined) {
    throw new OperatorError(formatSettingError(variable.name, 'is not set', variable.example));
  }
  if (!variable.isUrl || isHttpUrl(value)) return value;
  const problem = `must be an http or https URL, not "${value}"`;
  throw new OperatorError(formatSettingError(variable.name, problem, variable.example));
}

function findValue({ name }: ProviderVariable, env: Environment): string | null {
  return env[name]?.trim() || null;
}

function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
}
