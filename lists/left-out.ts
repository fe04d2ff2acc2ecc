import type { LeftOutReason, List } from './list.ts';

/** Says what was left out and why, such as `2 rows without a URL, 1 comment line`; '' if nothing was. */
export function describeLeftOut({ leftOut, kind }: Pick<List, 'leftOut' | 'kind'>): string {
  const sentences: Record<LeftOutReason, [one: string, many: string]> = {
    comment: ['comment line that begins with #', 'comment lines that begin with #'],
    above_header: ['row above the header', 'rows above the header'],
    blank:
      kind === 'urls'
        ? ['row without a URL', 'rows without a URL']
        : ['row without a keyword', 'rows without a keyword'],
    placeholder: [
      'row that is not an entry, such as (not set) or a total',
      'rows that are not entries, such as (not set) or a total',
    ],
    not_web: ['link that is not http or https', 'links that are not http or https'],
    after_url: ['text after a URL', 'texts after a URL'],
    other_table: ['row of another table', 'rows of other tables'],
    regex: ['redirect with a regular expression', 'redirects with a regular expression'],
    not_get: ['line that is not a GET request', 'lines that are not GET requests'],
  };
  return leftOut
    .map(({ reason, count }) => `${count.toLocaleString('en')} ${sentences[reason][count === 1 ? 0 : 1]}`)
    .join(', ');
}

const unreadShownMax = 5;

/** Names the files of a ZIP and the lists of a JSON that were not read, in a sentence each. */
export function describeUnread(unread: List['unread']): string[] {
  const shown = unread.slice(0, unreadShownMax).map(({ name, problem }) => `Not read: “${name}”. ${problem}`);
  const others = unread.length - shown.length;
  return others > 0 ? [...shown, `Not read: ${others} more ${others === 1 ? 'file' : 'files'}.`] : shown;
}
