import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type RequestHandler } from 'express';
import { parse } from 'node-html-parser';
import type { DashboardContext } from '../dashboard/context.ts';
import { showPage } from '../dashboard/render.ts';
import { methodNotAllowed, notFound } from '../http/errors.ts';
import { lazily } from '../http/lazily.ts';
import { listGuidePages } from './pages.ts';

/** Serves the guide, the API reference and the page for webmasters in the layout of the dashboard. Needs no sign-in. */
export function createDocsRouter(context: DashboardContext, visitor: RequestHandler[]): express.Router {
  const router = express.Router();
  const eta = new Eta({
    views: fileURLToPath(new URL('./views', import.meta.url)),
    autoTrim: false,
    cache: true,
  });
  // Each page renders at its first request, because rendering all of them takes a tenth of a second.
  const pages = listGuidePages(context.config).map(({ path, title, view, data }) => ({
    path,
    title,
    content: lazily(() => labelCells(eta.render(view, data()))),
  }));
  const menu = pages.map(({ path, title }) => [path, title]);
  for (const { path, title, content } of pages) {
    const show: RequestHandler = (req, res) =>
      showPage(context, req, res, { view: 'guide', title, data: { content: content(), menu, question: '' } });
    router.route(path).get(visitor, show).all(methodNotAllowed('GET'));
  }

  const sections = lazily(() =>
    pages.flatMap(({ path, title, content }) => splitIntoSections(path, title, content())),
  );
  const find: RequestHandler = (req, res) => {
    const question = typeof req.query.q === 'string' ? req.query.q.slice(0, 100) : '';
    const content = eta.render('search', { question, found: search(sections(), question) });
    return showPage(context, req, res, { view: 'guide', title: 'Search', data: { content, menu, question } });
  };
  router.route('/docs/search').get(visitor, find).all(methodNotAllowed('GET'));
  router.route('/client/sonde-client.tgz').get(sendClient).all(methodNotAllowed('GET'));
  return router;
}

const clientTarball = fileURLToPath(new URL('../../client/sonde-client.tgz', import.meta.url));

/** Sends the package of client and command, for `npm install`. `npm run prepare` builds it. */
const sendClient: RequestHandler = (_req, res, next) => {
  res.set({ 'Content-Type': 'application/gzip', 'Cache-Control': 'public, max-age=300' });
  res.sendFile(clientTarball, { cacheControl: false }, (error) => {
    if (error && !res.headersSent) next(notFound('This installation was built without the client.'));
  });
};

/**
 * Adds to each table cell the heading of the column, because narrow windows hide the row of headings. Our views never
 * nest tables.
 */
function labelCells(html: string): string {
  return html.replaceAll(/<table>.*?<\/table>/gs, (table) => {
    const labels = [...table.matchAll(/<th scope="col">(.*?)<\/th>/gs)].map(([, heading = '']) =>
      heading.replaceAll(/<[^>]*>/g, '').replaceAll('"', '&quot;'),
    );
    return table.replaceAll(/<tr[ >](?:(?!scope="col").)*?<\/tr>/gs, (row) => {
      const remaining = labels.values();
      return row.replaceAll(/<t[dh](?=[ >])/g, (cell) => {
        const label = remaining.next().value;
        return label ? `${cell} data-label="${label}"` : cell;
      });
    });
  });
}

interface Section {
  href: string;
  page: string;
  title: string;
  text: string;
}

/** Splits a page into sections. Each section begins at an element with an id, such as a heading or `<summary>`. */
function splitIntoSections(path: string, page: string, html: string): Section[] {
  const root = parse(html, { blockTextElements: {} });
  const sections: Section[] = [{ href: path, page, title: page, text: '' }];
  for (const element of root.querySelectorAll('h2, h3, p, li, td, th, pre, summary, dt, dd')) {
    const id = element.id || (element.tagName === 'SUMMARY' ? (element.parentNode?.id ?? '') : '');
    const words = element.text.replaceAll(/\s+/g, ' ').trim();
    if (id) sections.push({ href: `${path}#${id}`, page, title: words, text: '' });
    const section = sections.at(-1);
    if (section) section.text += `${words} `;
  }
  return sections;
}

const foundMax = 30;

/** Returns the sections that contain every word of a query. Sections with all words in the title come first. */
function search(sections: Section[], question: string): Section[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length === 0) return [];
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = sections.filter(({ title, text }) => hasAll(`${title} ${text}`));
  const [first, second] = [
    found.filter(({ title }) => hasAll(title)),
    found.filter((one) => !hasAll(one.title)),
  ];
  return [...first, ...second].slice(0, foundMax);
}
