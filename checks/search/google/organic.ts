import type { HTMLElement } from 'node-html-parser';
import { withoutFragment } from '../../../net/url.ts';
import { findTitles, type Title } from './titles.ts';
import { bookPageType, videoType, webPageType } from './ved.ts';

const organicTypes = new Set([webPageType, videoType, bookPageType]);

/**
 * Returns the organic results of a page, from top to bottom. A result in a snippet or panel is included if it is not
 * also in the list. With this rule, a page has Google's ten results.
 */
export function findOrganic(page: HTMLElement) {
  const all = findTitles(page);
  const titles = removeLookalikes(all).filter((title) => !isVideo(title));
  const listed = new Set(titles.filter(isListed).map((title) => withoutFragment(title.url)));
  const counted = titles.filter((title) => isListed(title) || !listed.has(withoutFragment(title.url)));
  return {
    results: counted.map(({ url, title }) => ({ url, title })),
    isHidden: counted.some((title) => title.isHidden),
    featuredSnippetUrl: all.find((title) => title.section === 'snippet')?.url ?? null,
  };
}

/**
 * Removes titles that look like results, but have another form:
 * - plain blocks, if the list has headings
 * - elements with the role of a heading, such as news tiles and app cards. If Google marks titles of the list as web
 *   pages, elements with an organic type stay. Otherwise, the elements stay only in a list without `<h3>`.
 */
function removeLookalikes(titles: Title[]): Title[] {
  const list = titles.filter(isListed);
  const hasHeadings = list.some(({ form }) => form !== 'block');
  const hasRealHeadings = list.some(({ form }) => form === 'h3');
  const hasWebPages = list.some(({ type }) => type === webPageType);
  return titles.filter((title) => {
    if (title.form === 'block') return !hasHeadings;
    if (title.form === 'h3' || !isListed(title)) return true;
    return hasWebPages ? title.type !== null && organicTypes.has(title.type) : !hasRealHeadings;
  });
}

function isListed({ section }: Title): boolean {
  return section === 'list';
}

/** Returns whether a page only plays a video. An article with a video is a result. */
function isVideo({ type, url }: Title): boolean {
  if (type !== videoType) return false;
  const address = URL.parse(url);
  return (
    address !== null &&
    players.some((player) => player.test(address.host + address.pathname + address.search))
  );
}

const players = [
  /^(www\.|m\.)?youtube\.com\/(watch\?|shorts\/|live\/)/,
  /^youtu\.be\/./,
  /^(www\.|player\.)?vimeo\.com\/(video\/)?\d/,
  /^(www\.)?dailymotion\.com\/video\//,
  /^(www\.|m\.)?tiktok\.com\/@[^/]+\/video\//,
];
