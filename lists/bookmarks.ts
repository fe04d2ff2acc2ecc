import { Tokenizer } from 'htmlparser2';
import { type ListDocument, toDocument } from './list-document.ts';
import type { Pieces } from './pieces.ts';
import type { Row } from './rows.ts';
import { addressLengthMax } from './sitemap-xml.ts';
import { TextWindow } from './text-window.ts';

/** Reads the links of a bookmarks file of Chrome, Firefox or Safari (the Netscape format). */
export async function readBookmarks(pieces: Pieces, entriesMax: number): Promise<ListDocument> {
  const text = new TextWindow();
  const rows: Row[] = [];
  let [isLink, isAddress, address, others] = [false, false, '', 0];
  const addToAddress = (part: () => string) => {
    if (isAddress && address.length < addressLengthMax) address += part();
  };
  const close = () => {
    if (isLink && /^https?:\/\//i.test(address))
      rows.push({ line: rows.length + 1, cells: [address.trim()] });
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
