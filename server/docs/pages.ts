import { readFileSync } from 'node:fs';
import { unitCosts } from '../../accounts/allowance.ts';
import { presetUserAgents } from '../../checks/http/user-agents.ts';
import { type Config, version } from '../../config/config.ts';
import { resultPagesDays } from '../../db/batches/result-pages.ts';
import { counted } from '../../process/counted.ts';
import { activities } from '../../schemas/activity.ts';
import { changeKindNames, getChangeKind } from '../../schemas/change-kinds.ts';
import { unbilledWork } from '../../schemas/credits.ts';
import { errorCodes } from '../../schemas/error-codes.ts';
import { itemErrors } from '../../schemas/failures.ts';
import { httpErrorWords } from '../../schemas/http-status.ts';
import { skipReasons } from '../../schemas/monitor-types.ts';
import { openApiDocument } from '../../schemas/openapi.ts';
import { costsBody, failureMessage } from '../../wire/bodies.ts';
import { toContactLink } from '../dashboard/contact.ts';
import { lazily } from '../http/lazily.ts';
import { listLimits } from './limits.ts';
import { prices } from './prices.ts';
import { type ApiDocument, listPayloads, toReference } from './reference.ts';
import { sampleHosts } from './sample-hosts.ts';

interface GuidePage {
  path: string;
  view: string;
  title: string;
  data(): object;
}

/** Returns the pages of the guide in the order of its menu, and the page for webmasters. */
export function listGuidePages(config: Config): GuidePage[] {
  const { baseUrl } = config.web;
  const withSamples = (name: string) => () => ({ samples: readInEachLanguage(baseUrl, name) });
  const api = lazily(() => openApiDocument({ baseUrl, version }) as ApiDocument);
  return [
    page('/docs', 'quick-start', 'Quick start', withSamples('quick-start')),
    page('/docs/retries', 'retries', 'Retries and idempotency', withSamples('sonde')),
    page('/docs/ranks', 'ranks', 'Ranks', withSamples('ranks')),
    page('/docs/monitors', 'monitors', 'Monitors', () => ({
      samples: readInEachLanguage(baseUrl, 'monitors'),
      payloads: listPayloads(api(), { ofMonitors: true }),
      kinds: changeKindNames.map((kind) => ({ kind, ...getChangeKind(kind) })),
      skips: Object.entries(skipReasons),
    })),
    page('/docs/people', 'people', 'People and tokens', () => ({
      samples: readInEachLanguage(baseUrl, 'test-token'),
      hosts: sampleHosts,
      activities: Object.entries(activities),
    })),
    page('/docs/partial', 'partial', 'Partial results', withSamples('partial')),
    page('/docs/cancel', 'cancel', 'Cancel and retry', withSamples('cancel')),
    page('/docs/pages', 'pages', 'Lists and pages', withSamples('pages')),
    page('/docs/webhooks', 'webhooks', 'Webhooks', () => ({
      receivers: readSamples(baseUrl, ['receiver.mjs', 'receiver.py', 'receiver.php']),
      samples: readSamples(baseUrl, ['verify-webhook.mjs', 'verify_webhook.py']),
      payloads: listPayloads(api(), { ofMonitors: false }),
    })),
    page('/docs/client', 'client', 'Client and command', () => ({
      baseUrl,
      samples: readSamples(baseUrl, ['client.mjs', 'command.sh']),
    })),
    page('/docs/answers', 'answers', 'Answers and credits', () => toAnswersData(config)),
    page('/docs/limits', 'limits', 'Limits', () => ({ limits: listLimits(config) })),
    page('/docs/errors', 'errors', 'Errors', () => ({
      errors: Object.entries(errorCodes).map(([word, code]) => ({ word, ...code })),
    })),
    page('/docs/reference', 'reference', 'Reference', () => ({ groups: toReference(api()) })),
    page('/docs/changes', 'changes', 'Changelog', () => ({ changes: readChangelog() })),
    page('/bot', 'bot', 'For webmasters', () => toBotData(config)),
  ];
}

function page(path: string, view: string, title: string, data: () => object): GuidePage {
  return { path, view, title, data: () => ({ prose: toHtml, ...data() }) };
}

function toAnswersData({ web, retention }: Config): object {
  const units = costsBody(unitCosts);
  return {
    prices,
    rankSamples: readSamples(web.baseUrl, ['competitors.sh', 'ai-overview.sh']),
    httpErrors: Object.entries(httpErrorWords),
    itemErrors: itemErrors.map((error) => [error, failureMessage({ type: 'http', error })]),
    unbilledWork: Object.entries(unbilledWork).map(([kind, what]) => ({
      what,
      kind,
      weight: units[kind],
    })),
    kept: counted(retention.days, 'day'),
    rankResultsKept: counted(resultPagesDays(retention.days), 'day'),
    historyKept: counted(retention.historyDays, 'day'),
  };
}

function toBotData({ web, checks }: Config): object {
  return {
    userAgent: checks.userAgent,
    borrowedNames: Object.values(presetUserAgents),
    hostConcurrency: checks.hostConcurrency,
    host: new URL(web.baseUrl).hostname,
    contact: toContactLink(web.contact),
  };
}

/** Converts our own text to HTML, with `code`, **bold** and *emphasis* as in Markdown. */
export function toHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  // Stars within backticks are not converted.
  return escaped.replaceAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*`]*)\*/g, (_, code, bold, words) => {
    if (code) return `<code>${code}</code>`;
    return bold ? `<strong>${bold}</strong>` : `<em>${words}</em>`;
  });
}

interface Changes {
  version: string;
  kind: string;
  lines: string[];
}

/** Returns the entries of the changelog, grouped by version and heading. */
export function readChangelog(): Changes[] {
  const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, ...versions] = text.split(/^## /m);
  return versions.flatMap((part) => {
    const [version = '', ...kinds] = part.split(/^### /m);
    return kinds.map((kind) => {
      const [title = '', ...lines] = kind.split(/\n(?:- |\n- )/);
      return {
        version: oneLine(version.split('\n', 1)[0] ?? ''),
        kind: title.trim(),
        lines: lines.map(oneLine),
      };
    });
  });
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .trim();
}

interface Sample {
  id: string;
  title: string;
  file: string;
  code: string;
}

/** Base URL that the sample files contain, so that they run unchanged against a local service. */
const baseUrlInFiles = 'http://localhost:3000';

const languages: Record<string, string> = {
  sh: 'Shell',
  mjs: 'JavaScript (Node 20)',
  py: 'Python 3',
  php: 'PHP 8',
};

/** Reads samples, with the URL of this service in place of `baseUrlInFiles`. */
export function readSamples(baseUrl: string, files: string[]): Sample[] {
  return files.map((file) => {
    const text = readFileSync(new URL(`./samples/${file}`, import.meta.url), 'utf8');
    const [name = '', ending = ''] = file.split('.');
    return {
      id: `${name}-${ending}`,
      title: languages[ending] ?? ending,
      file,
      code: text.trim().replaceAll(baseUrlInFiles, baseUrl),
    };
  });
}

function readInEachLanguage(baseUrl: string, name: string): Sample[] {
  return readSamples(
    baseUrl,
    ['sh', 'mjs', 'py'].map((ending) => `${name}.${ending}`),
  );
}
