import { createBrightData } from './providers/brightdata.ts';
import { createDataForSeo } from './providers/dataforseo.ts';
import { createOpenserp } from './providers/openserp.ts';
import { createSandbox } from './providers/sandbox.ts';
import { createSearxng } from './providers/searxng.ts';
import { createSerpApi } from './providers/serpapi.ts';
import { createSerper } from './providers/serper.ts';
import type { SerpProvider } from './serp.ts';

/**
 * What the providers need to know (DESIGN section 3). A part is null when its keys are unset; a null `baseUrl` is the
 * provider's own. `names` is `SERP_PROVIDERS`, in fail-over order; null takes those whose keys are set.
 */
export interface ProviderSettings {
  names: string[] | null;
  timeoutMs: number;
  brightdata: { token: string; zone: string; baseUrl: string | null } | null;
  serpapi: { apiKey: string; baseUrl: string | null } | null;
  serper: { apiKey: string; baseUrl: string | null } | null;
  dataforseo: { login: string; password: string; baseUrl: string | null } | null;
  searxng: { baseUrl: string } | null;
  openserp: { baseUrl: string } | null;
}

/** A setting that leaves us without providers: one sentence for the operator, naming the variable. */
export class ProviderSettingError extends Error {
  override readonly name = 'ProviderSettingError';
}

type Maker = { needs: string; make(settings: ProviderSettings): SerpProvider | null };

/** In the order of DESIGN section 7. */
const MAKERS: Record<string, Maker> = {
  brightdata: {
    needs: 'BRIGHTDATA_API_TOKEN and BRIGHTDATA_ZONE',
    make: ({ brightdata, timeoutMs }) => brightdata && createBrightData({ ...brightdata, timeoutMs }),
  },
  serpapi: {
    needs: 'SERPAPI_API_KEY',
    make: ({ serpapi, timeoutMs }) => serpapi && createSerpApi({ ...serpapi, timeoutMs }),
  },
  serper: {
    needs: 'SERPER_API_KEY',
    make: ({ serper, timeoutMs }) => serper && createSerper({ ...serper, timeoutMs }),
  },
  dataforseo: {
    needs: 'DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD',
    make: ({ dataforseo, timeoutMs }) => dataforseo && createDataForSeo({ ...dataforseo, timeoutMs }),
  },
  searxng: {
    needs: 'SEARXNG_BASE_URL',
    make: ({ searxng, timeoutMs }) => searxng && createSearxng({ ...searxng, timeoutMs }),
  },
  openserp: {
    needs: 'OPENSERP_BASE_URL',
    make: ({ openserp, timeoutMs }) => openserp && createOpenserp({ ...openserp, timeoutMs }),
  },
};
const SANDBOX = 'sandbox';

/**
 * The providers to ask, in fail-over order; never none. The sandbox must be asked for by name, and stands alone.
 *
 * Errors: `ProviderSettingError`.
 */
export function createProviders(settings: ProviderSettings): SerpProvider[] {
  const { names } = settings;
  if (names?.includes(SANDBOX)) {
    if (names.length > 1) {
      throw new ProviderSettingError(
        'SERP_PROVIDERS: sandbox invents its answers and cannot stand beside another provider, as in SERP_PROVIDERS=sandbox.',
      );
    }
    return [createSandbox()];
  }
  const providers =
    names === null ? createConfigured(settings) : [...new Set(names)].map((name) => create(name, settings));
  if (providers.length > 0) return providers;
  throw new ProviderSettingError(
    'No search provider: set BRIGHTDATA_API_TOKEN and BRIGHTDATA_ZONE, or SERP_PROVIDERS=sandbox to try it out.',
  );
}

function createConfigured(settings: ProviderSettings): SerpProvider[] {
  return Object.values(MAKERS).flatMap((maker) => maker.make(settings) ?? []);
}

function create(name: string, settings: ProviderSettings): SerpProvider {
  const maker = Object.hasOwn(MAKERS, name) ? MAKERS[name] : undefined;
  if (maker === undefined) {
    const known = [...Object.keys(MAKERS), SANDBOX].join(', ');
    throw new ProviderSettingError(`SERP_PROVIDERS: ${name} is not a provider; known are ${known}.`);
  }
  const provider = maker.make(settings);
  if (provider === null)
    throw new ProviderSettingError(`SERP_PROVIDERS names ${name}: set ${maker.needs} too.`);
  return provider;
}
