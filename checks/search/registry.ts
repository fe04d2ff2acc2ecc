import type { Environment } from '../../config/settings.ts';
import { OperatorError } from '../../process/operator-error.ts';
import { brightData } from './providers/brightdata.ts';
import { dataForSeo } from './providers/dataforseo.ts';
import { openserp } from './providers/openserp.ts';
import { sandbox } from './providers/sandbox.ts';
import { searxng } from './providers/searxng.ts';
import { serpApi } from './providers/serpapi.ts';
import { serper } from './providers/serper.ts';
import type { SerpProvider } from './serp.ts';
import { getProviderUrl, isConfigured, type ProviderSource, validateVariables } from './source.ts';

/** All supported providers, in failover order. */
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
  /** `SERP_PROVIDERS`, in failover order; null for all providers whose variables are set. */
  names: string[] | null;
  /** The values of the providers' variables. */
  env: Environment;
  /** Time limit of one call. */
  timeoutMs: number;
}

/** Returns the variables of all providers. Throws `OperatorError` for the first invalid variable. */
export function readProviderVariables(env: Environment): Environment {
  for (const source of providerSources) validateVariables(source, env);
  const names = providerSources.flatMap(({ variables }) => variables.map(({ name }) => name));
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

/** Returns the names of the first provider's required variables, as an example. */
export function listExampleVariables(): string {
  return listRequired(providerSources[0] as ProviderSource);
}

/**
 * Creates the configured providers, in failover order. The sandbox is used only if it is named, and only alone. Throws
 * `OperatorError`, also if no provider is configured.
 */
export function createProviders(choice: ProviderChoice): SerpProvider[] {
  return chooseSources(choice).map((source) => source.create(choice.env, choice.timeoutMs));
}

/** Returns the URL of the first provider; null for the sandbox. Throws `OperatorError`. */
export function getFirstProviderUrl(choice: ProviderChoice): string | null {
  return getProviderUrl(chooseSources(choice)[0] as ProviderSource, choice.env);
}

function chooseSources({ names, env }: ProviderChoice): ProviderSource[] {
  const sources =
    names === null ? providerSources.filter((source) => isConfigured(source, env)) : findNamed(names, env);
  if (sources.length > 0) return sources;
  throw new OperatorError(
    `No search provider is configured. Set ${listExampleVariables()}, or try SERP_PROVIDERS=sandbox.`,
  );
}

function findNamed(names: string[], env: Environment): ProviderSource[] {
  const sources = [...new Set(names)].map((name) => find(name));
  const simulated = sources.find(({ isSimulated }) => isSimulated);
  if (simulated && sources.length > 1) {
    throw new OperatorError(
      `SERP_PROVIDERS: ${simulated.name} simulates its answers and cannot be combined with other providers. ` +
        `Use SERP_PROVIDERS=${simulated.name}.`,
    );
  }
  const incomplete = sources.find((source) => !source.isSimulated && !isConfigured(source, env));
  if (!incomplete) return sources;
  throw new OperatorError(
    `SERP_PROVIDERS names ${incomplete.name}, which is not configured. Set ${listRequired(incomplete)}.`,
  );
}

function find(name: string): ProviderSource {
  const source = providerSources.find((known) => known.name === name);
  if (source) return source;
  const known = providerSources.map((one) => one.name).join(', ');
  throw new OperatorError(`SERP_PROVIDERS: ${name} is not a provider. Known providers: ${known}.`);
}

function listRequired({ variables }: ProviderSource): string {
  return variables
    .filter(({ isRequired }) => isRequired)
    .map(({ name }) => name)
    .join(' and ');
}
