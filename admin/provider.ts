import { Argument, type Command, InvalidArgumentError } from 'commander';
import { createProviders, providerSources } from '../checks/search/registry.ts';
import {
  askForPage,
  ProviderError,
  type ProviderErrorKind,
  type SerpRequest,
} from '../checks/search/serp.ts';
import { isSetUp } from '../checks/search/source.ts';
import type { ProviderConfig } from '../config/config.ts';
import { usage } from '../db/providers/provider-usage.ts';
import type { AdminContext, Run } from './context.ts';

export function addProviderCommands(program: Command, run: Run): void {
  const provider = program.command('provider').description('the upstreams that read Google for us');

  provider
    .command('list')
    .description('the providers there are, and what each needs')
    .action(() => run(async ({ config }) => listProviders(config.providers)));

  provider
    .command('test')
    .description('ask a provider one question and say what came back; costs one call')
    .addArgument(new Argument('<name>', 'such as brightdata').argRequired())
    .option('--query <words>', 'what to search for', 'running shoes')
    .option('--mobile', 'mobile results')
    .action((name: string, options: { query: string; mobile?: boolean }) =>
      run((context) => testProvider(context, name, options)),
    );

  for (const parent of [program, provider]) {
    parent
      .command('usage')
      .description('calls, pages paid for and checks answered, by provider and day')
      .option('--since <date>', 'first day, such as 2026-11-01', day, monthAgo())
      .action(({ since }: { since: Date }) => run(({ db }) => usage(db, since)));
  }
}

function listProviders({ env }: ProviderConfig): object[] {
  return providerSources.map((source) => ({
    provider: source.name,
    isSetUp: source.isInvented || isSetUp(source, env) ? 'yes' : 'no',
    variables: source.variables
      .map(({ name, what, isRequired }) => `${name} (${what}${isRequired ? '' : '; may stay unset'})`)
      .join(', '),
  }));
}

async function testProvider(
  { config: { providers }, fail }: AdminContext,
  name: string,
  { query, mobile = false }: { query: string; mobile?: boolean },
): Promise<object> {
  const [provider] = createProviders({ ...providers, names: [name] });
  if (!provider) throw new TypeError('a named provider is made or refused');
  const request: SerpRequest = {
    query,
    country: 'US',
    language: 'en',
    device: mobile ? 'mobile' : 'desktop',
    page: 1,
    isUnfiltered: false,
  };
  const startedMs = performance.now();
  const took = () => `${Math.round(performance.now() - startedMs)} ms`;
  try {
    const { results, featuredSnippetUrl } = await askForPage(
      provider,
      request,
      AbortSignal.timeout(providers.timeoutMs),
    );
    const what =
      results.length > 0
        ? `a genuine page with ${results.length} organic results`
        : 'a genuine page, on which nothing matches';
    return {
      provider: name,
      cameBack: what,
      took: took(),
      first: results[0]?.url ?? null,
      featuredSnippetUrl,
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    fail();
    return {
      provider: name,
      cameBack: `no answer: ${error.message}`,
      meaning: meanings[error.kind],
      took: took(),
    };
  }
}

const meanings: Record<ProviderErrorKind, string> = {
  blocked: 'Google asked the provider for a captcha or showed no results; it may work in a moment.',
  rewritten: 'Google answered another query; try other words.',
  quota: 'The credits or the plan of the provider account are used up.',
  auth: 'The key is wrong, or the account may not use this service.',
  rate_limit: 'Too many calls at once; lower PROVIDER_CONCURRENCY if this goes on.',
  bad_request: 'The provider did not understand the request; the zone or engine may be of another kind.',
  unreadable: 'Something came back that is no results page we know.',
  upstream: 'The provider failed or cannot be reached.',
  timeout: 'Nothing came back within PROVIDER_TIMEOUT_MS.',
  unsupported: 'This provider cannot do that.',
};

function day(text: string): Date {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text);
  throw new InvalidArgumentError('must be a day such as 2026-11-01.');
}

function monthAgo(): Date {
  return new Date(Date.now() - 30 * 24 * 3600 * 1000);
}
