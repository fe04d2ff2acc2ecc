import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type RequestHandler } from 'express';
import type { DashboardContext } from '../dashboard/context.ts';
import { showPage } from '../dashboard/render.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { lazily } from '../http/lazily.ts';
import { withLabels } from './labels.ts';
import { pagesOf } from './pages.ts';
import { search, sectionsOf } from './search.ts';

/**
 * The guide, the API reference and the page for webmasters, in the shell of the dashboard; all without a
 * token, and the same whether one is signed in or not.
 */
export function docsRouter(context: DashboardContext, visitor: RequestHandler[]): express.Router {
  const router = express.Router();
  const eta = new Eta({
    views: fileURLToPath(new URL('./views', import.meta.url)),
    autoTrim: false,
    cache: true,
  });
  // Each is written when it is read first: all of them, with their sections, are a tenth of a second at every start.
  const pages = pagesOf(context.config).map(({ path, title, view, data }) => ({
    path,
    title,
    content: lazily(() => withLabels(eta.render(view, data()))),
  }));
  const menu = pages.map(({ path, title }) => [path, title]);
  for (const { path, title, content } of pages) {
    const show: RequestHandler = (req, res) =>
      showPage(context, req, res, { view: 'guide', title, data: { content: content(), menu, question: '' } });
    router.route(path).get(visitor, show).all(methodNotAllowed('GET'));
  }

  const sections = lazily(() =>
    pages.flatMap(({ path, title, content }) => sectionsOf(path, title, content())),
  );
  const find: RequestHandler = (req, res) => {
    const question = typeof req.query.q === 'string' ? req.query.q.slice(0, 100) : '';
    const content = eta.render('search', { question, found: search(sections(), question) });
    return showPage(context, req, res, { view: 'guide', title: 'Search', data: { content, menu, question } });
  };
  router.route('/docs/search').get(visitor, find).all(methodNotAllowed('GET'));
  return router;
}
