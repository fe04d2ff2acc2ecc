import { parse } from 'node-html-parser';

export interface Section {
  href: string;
  page: string;
  title: string;
  text: string;
}

/** The sections of a page: each begins with a heading, or with something folded, that has an id. */
export function sectionsOf(path: string, page: string, html: string): Section[] {
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
export function search(sections: Section[], question: string): Section[] {
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
