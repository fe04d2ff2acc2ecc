export interface Tag {
  tagName: string;
  /** Values of `keptAttributes` by name. Only the first attribute of a name is kept. */
  attributes: ReadonlyMap<string, string>;
  /** Number of all attributes. Includes attributes that are not in `attributes`. */
  attributeCount: number;
  selfClosing: boolean;
}

export const keptAttributes = wordSet(
  'action charset class content hidden href http-equiv id name open property rel role src style type',
);

/** Elements whose content is not markup (HTML standard, 13.2.6.4). */
export const rawTags = wordSet('title textarea style xmp iframe noembed noframes script plaintext');

/** Elements allowed in the head. Any other element starts the body. */
export const headTags = wordSet(
  'html head base basefont bgsound link meta title noscript noframes style script template',
);

/** Elements that do not break a line of text. */
export const inlineTags =
  wordSet(`a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark
  nobr picture q rp rt ruby s samp small source span strike strong sub sup time tt u var wbr`);

export const voidTags = wordSet(
  'area base br col embed frame hr img input link meta param source track wbr basefont bgsound keygen',
);

/** Elements where tag names have other meanings. */
export const foreignTags = wordSet('svg math');

/** Start tags that end an unclosed `<svg>` or `<math>` (HTML standard, 13.2.6.5). */
export const foreignEndingTags =
  wordSet(`b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head
  hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`);

/** Elements whose content is not text of the page. */
const skippedTags = wordSet('noscript template svg math select datalist canvas video audio object');

export const rootTags = wordSet('html body');

/** Returns the classes and the id of an element, lower case. */
export function getMarks(token: Tag): string[] {
  const marks = `${getAttribute(token, 'id')} ${getAttribute(token, 'class')}`;
  return marks.length === 1 ? [] : marks.slice(0, marksCharsMax).toLowerCase().split(/\s+/u).filter(Boolean);
}

/** Returns the value of an attribute; '' if it is missing. */
export function getAttribute({ attributes }: Tag, name: string): string {
  return attributes.get(name) ?? '';
}

function isHidden(token: Tag): boolean {
  if (token.tagName === 'dialog') return !token.attributes.has('open');
  if (token.attributes.size === 0) return false;
  if (token.attributes.has('hidden')) return true;
  if (hasDisplayNone(getAttribute(token, 'style'))) return true;
  const names = getAttribute(token, 'class');
  // A fast test: every hiding class contains `hid` or `none`, and the classes of most elements contain neither.
  if (!names.includes('hid') && !names.includes('none')) return false;
  const classes = names.slice(0, marksCharsMax).split(/\s+/u);
  return (
    classes.some((name) => hidingClasses.has(name)) && !classes.some((name) => showsOnSomeScreens.test(name))
  );
}

function hasDisplayNone(style: string): boolean {
  if (style === '') return false;
  return style.slice(0, marksCharsMax).replaceAll(/\s/gu, '').toLowerCase().includes('display:none');
}

/** Returns whether the content of an element is not text of the page. */
export function isSkipped(token: Tag): boolean {
  if (rootTags.has(token.tagName) || voidTags.has(token.tagName)) return false;
  return skippedTags.has(token.tagName) || isHidden(token);
}

/** Returns whether an element is boilerplate, such as a menu, an aside or a cookie notice. */
export function isBoilerplate(token: Tag): boolean {
  if (token.tagName === 'nav' || token.tagName === 'aside') return true;
  if (token.attributes.size === 0) return false;
  const role = getAttribute(token, 'role');
  if (role !== '' && frameRoles.has(role.toLowerCase())) return true;
  return (
    frameTags.has(token.tagName) &&
    frameHints.test(`${getAttribute(token, 'id')} ${getAttribute(token, 'class')}`) &&
    getMarks(token).some((mark) => frameMarks.has(mark) || consentMark.test(mark))
  );
}

const marksCharsMax = 2_000;
const hidingClasses = wordSet('hidden hide d-none is-hidden ng-hide display-none uk-hidden visually-none');
const showsOnSomeScreens = /^d-(?:sm|md|lg|xl|xxl|print)-|:(?:block|flex|grid|inline|table|contents)/u;
const frameRoles = wordSet('navigation banner contentinfo complementary dialog alertdialog');
const frameTags = wordSet('div ul section');
const frameMarks =
  wordSet(`nav navbar menu main-menu main-nav site-header site-footer site-nav footer topbar top-bar
  sidebar breadcrumb breadcrumbs page-footer`);
const consentMark = /cookie|consent|gdpr/u;
// Each mark above contains one of these words. Most elements have none of them, and their classes need not be split.
const frameHints = /nav|menu|header|footer|top|side|bread|cookie|consent|gdpr/iu;

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u));
}
