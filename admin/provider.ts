import { Argument, type Command, InvalidArgumentError } from 'commander';
import { requestRange } from '../checks/search/reader.ts';
import { createProviders, providerSources } from '../checks/search/registry.ts';
import { ProviderError, type ProviderErrorKind, type SerpQuery } from '../checks/search/serp.ts';
import { isConfigured } from '../checks/search/source.ts';
import type { ProviderConfig } from '../config/config.ts';
import { listUsage } from '../db/providers/provider-usage.ts';
import type { AdminContext, RunCommand } from './context.ts';

export function addProviderCommands(program: Command, run: RunCommand): void {
  const provider = program.command('provider').description('search providers');

  provider
    .command('list')
    .description('list all providers and the settings they need')
    .action(() => run(async ({ config }) => listProviders(config.providers)));

  provider
    .command('test')
    .description('send one query to a provider and show the result; costs one call')
    .addArgument(new Argument('<name>', 'provider name, such as brightdata').argRequired())
    .option('--query <words>', 'query', 'running shoes')
    .option('--mobile', 'mobile results')
    .action((name: string, options: { query: string; mobile?: boolean }) =>
      run((context) => testProvider(context, name, options)),
    );

  for (const parent of [program, provider]) {
    parent
      .command('usage')
      .description('show calls, billed pages and answered checks by provider and day')
      .option('--since <date>', 'first day, such as 2026-11-01', parseDay, monthAgo())
      .action(({ since }: { since: Date }) => run(({ db }) => listUsage(db, since)));
  }
}

function listProviders({ env }: ProviderConfig): object[] {
  return providerSources.map((source) => ({
    provider: source.name,
    isSetUp: source.isSimulated || isConfigured(source, env) ? 'yes' : 'no',
    variables: source.variables
      .map(({ name, description, isRequired }) => `${name} (${description}${isRequired ? '' : '; optional'})`)
      .join(', '),
  }));
}

async function testProvider(
  { config: { providers }, setFailed }: AdminContext,
  name: string,
  { query: words, mobile = false }: { query: string; mobile?: boolean },
): Promise<object> {
  const [provider] = createProviders({ ...providers, names: [name] });
  if (!provider) throw new TypeError('createProviders returned no provider');
  const query: SerpQuery = {
    query: words,
    country: 'US',
    language: 'en',
    device: mobile ? 'mobile' : 'desktop',
    isUnfiltered: false,
  };
  const startedMs = performance.now();
  const elapsed = () => `${Math.round(performance.now() - startedMs)} ms`;
  try {
    const { pages } = await requestRange(provider, query, { from: 1, to: 1, stopAt: null });
    const results = pages.flatMap((page) => page.results);
    const answer =
      results.length > 0
        ? `a results page with ${results.length} organic results`
        : 'a results page without organic results';
    return {
      provider: name,
      cameBack: answer,
      took: elapsed(),
      first: results[0]?.url ?? null,
      featuredSnippetUrl: pages[0]?.featuredSnippetUrl ?? null,
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    setFailed();
    return {
      provider: name,
      cameBack: `no answer: ${error.message}`,
      meaning: meanings[error.kind],
      took: elapsed(),
    };
  }
}

const meanings: Record<ProviderErrorKind, string> = {
  blocked: 'Google showed the provider a captcha or no results. Try again in a moment.',
  rewritten: 'Google answered a different query. Try other words.',
  quota: 'The credits or the plan of the provider account are used up.',
  auth: 'The key is wrong, or the provider account is not allowed to use this service.',
  rate_limit: 'Too many calls at once. Lower PROVIDER_CONCURRENCY if this continues.',
  bad_request:
    'The provider rejected the request. Check that the zone or engine is the type that Sonde needs.',
  unreadable: 'The answer is not a known results page.',
  upstream: 'The provider failed or cannot be reached.',
  timeout: 'No answer came within PROVIDER_TIMEOUT_MS.',
  unsupported: 'The provider does not support this request.',
};

function parseDay(text: string): Date {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text);
  throw new InvalidArgumentError('must be a date such as 2026-11-01.');
}

function monthAgo(): Date {
  return new Date(Date.now() - 30 * 24 * 3600 * 1000);
}
