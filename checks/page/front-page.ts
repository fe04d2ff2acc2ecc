/** Returns whether a URL is a front page. Sites in several languages have one for each: `/de`, `/pt-br/`. */
export function isFrontPage(url: URL): boolean {
  return url.search === '' && frontPath.test(url.pathname);
}

const frontPath = /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?|(?:index|default)\.\w+|home\/?)?$/iu;
