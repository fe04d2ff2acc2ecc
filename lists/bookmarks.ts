import { Tokenizer } from 'htmlparser2';
import { type ListDocument, toDocument } from './list-document.ts';
import type { Pieces } from './pieces.ts';
import type { Row } from './rows.ts';
import { addressLengthMax } from './sitemap-xml.ts';
import { TextWindow } from './text-window.ts';

/** Reads the links of an exported bookmarks file of Chrome, Firefox or Safari (the Netscape format). */
export async function readBookmarks(pieces: Pieces, entriesMax: number): Promise<ListDocument> {
  const text = new TextWindow();
  const rows: Row[] = [];
  let [isLink, isAddress, address, others] = [false, false, '', 0];
  const addToAddress = (part: () => string) => {
    if (isAddress && address.length < addressLengthMax) address += part();
  };
  const close = () => {
    if (isLink && isWeb(address)) rows.push({ line: rows.length + 1, cells: [address.trim()] });
    else if (isLink && address !== '') others += 1;
    isLink = false;
  };
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        isLink = text.slice(start, end, 2).toLowerCase() === 'a';
        address = '';
      },
      onattribname: (start, end) => {
        isAddress = isLink && text.slice(start, end, 5).toLowerCase() === 'href';
      },
      onattribdata: (start, end) => addToAddress(() => text.slice(start, end, addressLengthMax)),
      onattribentity: (codePoint) => addToAddress(() => String.fromCodePoint(codePoint)),
      onattribend: () => {
        isAddress = false;
      },
      onopentagend: close,
      onselfclosingtag: close,
      ...{ onclosetag: ignore, ontext: ignore, ontextentity: ignore, oncdata: ignore, ondeclaration: ignore },
      ...{ oncomment: ignore, onprocessinginstruction: ignore, onend: ignore },
    },
  );
  for await (const piece of pieces) {
    text.add(piece);
    tokenizer.write(piece);
    if (rows.length > entriesMax) break;
  }
  return toDocument('bookmarks', rows, {}, [{ reason: 'not_web', count: others }]);
}

function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address);
}

interface BookmarkNode {
  url?: unknown;
  uri?: unknown;
  children?: unknown;
}

/** Returns the folders of the file `Bookmarks` of Chrome, or of a backup of Firefox; null for another JSON. */
export function findBookmarkFolders(value: unknown): BookmarkNode[] | null {
  const { root, roots } = (value ?? {}) as { root?: unknown; roots?: unknown };
  if (root === 'placesRoot') return [value as BookmarkNode];
  const folders = Object.values(typeof roots === 'object' && roots ? roots : {});
  return folders.some((folder) => Array.isArray(folder?.children)) ? folders : null;
}

/** Reads the links in folders and in the folders within them. */
export function readBookmarkFolders(folders: BookmarkNode[]): ListDocument {
  const rows: Row[] = [];
  let others = 0;
  // Works without recursion, because deep folders would overflow the stack.
  const waiting: unknown[] = folders.toReversed();
  while (waiting.length > 0) {
    const { url, uri = url, children } = (waiting.pop() ?? {}) as BookmarkNode;
    if (typeof uri === 'string' && isWeb(uri)) rows.push({ line: rows.length + 1, cells: [uri.trim()] });
    else if (uri !== undefined) others += 1;
    if (Array.isArray(children)) for (const child of children.toReversed()) waiting.push(child);
  }
  return toDocument('bookmarks', rows, {}, [{ reason: 'not_web', count: others }]);
}
