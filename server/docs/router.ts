import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type RequestHandler } from 'express';
import { parse } from 'node-html-parser';
import type { DashboardContext } from '../dashboard/context.ts';
import { showPage } from '../dashboard/render.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { lazily } from '../http/lazily.ts';
import { pagesOf } from './pages.ts';

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

/**
 * A page's tables with the heading of its column at each cell, for narrow windows show no row of headings. Our
 * views write their tables alike, and none stands within another.
 */
function withLabels(html: string): string {
  return html.replaceAll(/<table>.*?<\/table>/gs, (table) => {
    const labels = [...table.matchAll(/<th scope="col">(.*?)<\/th>/gs)].map(([, heading = '']) =>
      heading.replaceAll(/<[^>]*>/g, '').replaceAll('"', '&quot;'),
    );
    return table.replaceAll(/<tr[ >](?:(?!scope="col").)*?<\/tr>/gs, (row) => {
      const left = labels.values();
      return row.replaceAll(/<t[dh](?=[ >])/g, (cell) => {
        const label = left.next().value;
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

/** The sections of a page: each begins with a heading, or with something folded, that has an id. */
function sectionsOf(path: string, page: string, html: string): Section[] {
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

/** Sections with every word of a question; those with it in their title come first. */
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
