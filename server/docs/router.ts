import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import { weights } from '../../accounts/allowance.ts';
import { borrowedNames } from '../../checks/http/user-agents.ts';
import { type Config, version } from '../../config.ts';
import { unpaidWork } from '../../schemas/credits.ts';
import { errorCodes } from '../../schemas/error-codes.ts';
import { itemErrors } from '../../schemas/failures.ts';
import { openApiDocument } from '../../schemas/openapi.ts';
import { failureMessage, weightsBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { httpErrorMeanings } from './http-errors.ts';
import { prices } from './prices.ts';
import { type ApiDocument, referenceOf } from './reference.ts';
import { competitorsSample, quickStarts, webhookVerifiers } from './samples.ts';

interface Page {
  path: string;
  view: string;
  title: string;
  data: object;
}

/** The guide, the API reference and the page for webmasters; all without a token. */
export function docsRouter({ config }: Pick<Context, 'config'>): express.Router {
  const router = express.Router();
  const pages = pagesOf(config);
  const eta = new Eta({
    views: fileURLToPath(new URL('./views', import.meta.url)),
    autoTrim: false,
    cache: true,
  });
  const navigation = pages.map(({ path, title }) => [path, title]);
  for (const page of pages) {
    const html = eta.render(page.view, { ...page, ...page.data, pages: navigation });
    const show: RequestHandler = (_req, res) => void res.type('html').send(html);
    router.route(page.path).get(contentPolicy, show).all(methodNotAllowed('GET'));
  }
  for (const [name, file] of Object.entries(assets)) {
    const send: RequestHandler = (_req, res) => res.sendFile(file, { maxAge: '1 day' });
    router.route(`/docs/assets/${name}`).get(send).all(methodNotAllowed('GET'));
  }
  return router;
}

const weightOf = weightsBody(weights);

function pagesOf({ web, checks, retention }: Config): Page[] {
  return [
    {
      path: '/docs',
      view: 'quick-start',
      title: 'Quick start',
      data: { samples: quickStarts(web.baseUrl), prose, groups: referenceOf(documentOf(web.baseUrl)) },
    },
    {
      path: '/docs/answers',
      view: 'answers',
      title: 'Answers and credits',
      data: {
        prices,
        competitors: competitorsSample(web.baseUrl),
        httpErrors: Object.entries(httpErrorMeanings),
        itemErrors: itemErrors.map((error) => [error, failureMessage({ type: 'http', error })]),
        prose,
        unpaidWork: Object.entries(unpaidWork).map(([kind, what]) => ({
          what,
          kind,
          weight: weightOf[kind],
        })),
        retentionDays: retention.days,
        historyDays: retention.historyDays,
      },
    },
    {
      path: '/docs/webhooks',
      view: 'webhooks',
      title: 'Webhooks',
      data: { samples: webhookVerifiers(web.baseUrl) },
    },
    {
      path: '/docs/errors',
      view: 'errors',
      title: 'Errors',
      data: { prose, errors: Object.entries(errorCodes).map(([word, code]) => ({ word, ...code })) },
    },
    {
      path: '/bot',
      view: 'bot',
      title: 'For webmasters',
      data: {
        userAgent: checks.userAgent,
        borrowedNames: Object.values(borrowedNames),
        hostConcurrency: checks.hostConcurrency,
        host: new URL(web.baseUrl).hostname,
        contact: web.contact && { href: hrefOf(web.contact), text: web.contact },
      },
    },
  ];
}

const contentPolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    imgSrc: ['data:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

function documentOf(baseUrl: string): ApiDocument {
  return openApiDocument({ baseUrl, version }) as ApiDocument;
}

const require = createRequire(import.meta.url);
const own = (name: string) => fileURLToPath(new URL(`./assets/${name}`, import.meta.url));

const assets: Record<string, string> = {
  'docs.css': own('docs.css'),
  'pico.css': require.resolve('@picocss/pico/css/pico.conditional.min.css'),
};

/** Text of ours with words in backticks. */
function prose(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function hrefOf(contact: string): string {
  return contact.includes('://') ? contact : `mailto:${contact}`;
}
