import { OperatorError } from '../../process/operator-error.ts';
import { brightData } from './providers/brightdata.ts';
import { dataForSeo } from './providers/dataforseo.ts';
import { openserp } from './providers/openserp.ts';
import { sandbox } from './providers/sandbox.ts';
import { searxng } from './providers/searxng.ts';
import { serpApi } from './providers/serpapi.ts';
import { serper } from './providers/serper.ts';
import type { SerpProvider } from './serp.ts';
import {
  addressOfProvider,
  checkVariables,
  type Environment,
  isSetUp,
  type ProviderSource,
} from './source.ts';

/** Every provider there is, in fail-over order. */
export const providerSources: readonly ProviderSource[] = [
  brightData,
  serpApi,
  serper,
  dataForSeo,
  searxng,
  openserp,
  sandbox,
];

export interface ProviderChoice {
  /** `SERP_PROVIDERS`, in fail-over order; null takes those whose variables are set. */
  names: string[] | null;
  /** The values of the providers' variables. */
  env: Environment;
  /** Per call. */
  timeoutMs: number;
}

/** The providers' part of an environment. Errors: `OperatorError` for the first variable that is wrong. */
export function readProviderVariables(env: Environment): Environment {
  for (const source of providerSources) checkVariables(source, env);
  const names = providerSources.flatMap(({ variables }) => variables.map(({ name }) => name));
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

/** Settings of the first provider, for an operator who has set up none. */
export function exampleOfVariables(): string {
  return needsOf(providerSources[0] as ProviderSource);
}

/**
 * The providers to ask, in fail-over order; never none. The sandbox must be asked for by name, and stands alone.
 *
 * Errors: `OperatorError`.
 */
export function createProviders(choice: ProviderChoice): SerpProvider[] {
  return chosen(choice).map((source) => source.make(choice.env, choice.timeoutMs));
}

/** Where the first provider is asked; null for the sandbox, which asks nobody. Errors: `OperatorError`. */
export function addressOfFirst(choice: ProviderChoice): string | null {
  return addressOfProvider(chosen(choice)[0] as ProviderSource, choice.env);
}

function chosen({ names, env }: ProviderChoice): ProviderSource[] {
  const sources =
    names === null ? providerSources.filter((source) => isSetUp(source, env)) : named(names, env);
  if (sources.length > 0) return sources;
  throw new OperatorError(
    `No search provider: set ${exampleOfVariables()}, or SERP_PROVIDERS=sandbox to try it out.`,
  );
}

function named(names: string[], env: Environment): ProviderSource[] {
  const sources = [...new Set(names)].map((name) => find(name));
  const invented = sources.find(({ isInvented }) => isInvented);
  if (invented && sources.length > 1) {
    throw new OperatorError(
      `SERP_PROVIDERS: ${invented.name} invents its answers and cannot stand beside another provider, ` +
        `as in SERP_PROVIDERS=${invented.name}.`,
    );
  }
  const unready = sources.find((source) => !source.isInvented && !isSetUp(source, env));
  if (!unready) return sources;
  throw new OperatorError(
    `The provider ${unready.name} was named and is not set up: set ${needsOf(unready)}.`,
  );
}

function find(name: string): ProviderSource {
  const source = providerSources.find((known) => known.name === name);
  if (source) return source;
  const known = providerSources.map((one) => one.name).join(', ');
  throw new OperatorError(`SERP_PROVIDERS: ${name} is not a provider; known are ${known}.`);
}

function needsOf({ variables }: ProviderSource): string {
  return variables
    .filter(({ isRequired }) => isRequired)
    .map(({ name }) => name)
    .join(' and ');
}
