import { OperatorError, settingProblem } from '../../process/operator-error.ts';
import type { SerpProvider } from './serp.ts';

export type Environment = Record<string, string | undefined>;

/** One setting of a provider. */
export interface ProviderVariable {
  name: string;
  what: string;
  example: string;
  isSecret: boolean;
  /** Without it the provider is not set up; the others have defaults. */
  isRequired: boolean;
  /** An http or https address. */
  isAddress?: true;
  /** Default value. */
  fallback?: string;
}

/** A provider that could be asked: all that the rest of the house knows of it. */
export interface ProviderSource {
  name: string;
  variables: readonly ProviderVariable[];
  /** Its answers are made up, so it stands alone and only where it was named. */
  isInvented?: true;
  /** `timeoutMs` is per call. Errors: `OperatorError` when a variable is missing or malformed. */
  make(env: Environment, timeoutMs: number): SerpProvider;
}

/** A key, password or name that must be set. */
export function secret(name: string, what: string, example = '0123456789abcdef'): ProviderVariable {
  return { name, what, example, isSecret: true, isRequired: true };
}

/** Where the provider is asked in place of its own address, `fallback`: a proxy in front of it. */
export function ownAddress(name: string, example: string, fallback: string): ProviderVariable {
  const what = "a proxy in front of it, in place of the provider's own address";
  return { name, what, example, isSecret: false, isRequired: false, isAddress: true, fallback };
}

/** The address where a provider is asked; null for one that asks nobody. Errors: `OperatorError`. */
export function addressOfProvider({ variables }: ProviderSource, env: Environment): string | null {
  const variable = variables.find(({ isAddress }) => isAddress);
  return variable ? settingOf(variable, env) : null;
}

/** Whether the operator has set all that the provider needs; one that needs nothing must be named. */
export function isSetUp({ variables }: ProviderSource, env: Environment): boolean {
  const required = variables.filter(({ isRequired }) => isRequired);
  return required.length > 0 && required.every((variable) => read(variable, env) !== null);
}

/** Errors: `OperatorError` when only some of what a provider needs is set, or an address is none. */
export function checkVariables({ variables }: ProviderSource, env: Environment): void {
  for (const variable of variables) if (read(variable, env) !== null) settingOf(variable, env);
  const required = variables.filter(({ isRequired }) => isRequired);
  const given = required.find((variable) => read(variable, env) !== null);
  const missing = required.find((variable) => read(variable, env) === null);
  if (given && missing) {
    throw new OperatorError(
      settingProblem(missing.name, `is not set, but ${given.name} is`, missing.example),
    );
  }
}

/** The value of a variable. Errors: `OperatorError` when it is not set and has no fallback, or is no address. */
export function settingOf(variable: ProviderVariable, env: Environment): string {
  const value = read(variable, env) ?? variable.fallback;
  if (value === undefined) {
    throw new OperatorError(settingProblem(variable.name, 'is not set', variable.example));
  }
  if (!variable.isAddress || isAddress(value)) return value;
  const problem = `must be an http or https address, not "${value}"`;
  throw new OperatorError(settingProblem(variable.name, problem, variable.example));
}

function read({ name }: ProviderVariable, env: Environment): string | null {
  return env[name]?.trim() || null;
}

function isAddress(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
}
