/** Returns whether a URL is a front page. A site may have a front page for each language: `/de`, `/pt-br/`. */
export function isFrontPage(url: URL): boolean {
  return url.search === '' && frontPath.test(url.pathname);
}

const frontPath = /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?|(?:index|default)\.\w+|home\/?)?$/iu;
