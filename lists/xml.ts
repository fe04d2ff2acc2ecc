import { TextDecoder } from 'node:util';
import { Tokenizer } from 'htmlparser2';
import { ListError } from './list-error.ts';
import { detectEncoding } from './sitemap-bytes.ts';
import { TextWindow } from './text-window.ts';

/** Receives the content of an XML document. Names have no prefix. */
export interface XmlHandlers {
  /** `attributes` are those in `attributeNames`. */
  open(name: string, attributes: Record<string, string>): void;
  /** A part of a text, which can come in several parts. */
  text(text: string): void;
  close(name: string): void;
}

/** Counts of all parts of a workbook so far. */
export interface XmlTotal {
  elements: number;
  /** Attributes, entities, comments and the like. */
  details: number;
  /** Characters of texts and links that are kept. */
  characters: number;
}

const pieceBytes = 64 * 1024;
const nameLengthMax = 100;
const attributesMax = 100;
/** The attributes that readers of a workbook use. Keeping all attributes would take most of the time. */
const attributeNames = new Set([
  ...['r', 't', 's', 'name', 'id', 'state', 'Id', 'Target', 'ref', 'numFmtId', 'formatCode'],
]);
/** Enough to read 200,000 rows of five columns twice, as in a sheet with links. This takes 4 s of CPU time. */
const elementsMax = 5_000_000;
/** Excel writes up to three attributes per cell. */
const detailsMax = 10_000_000;
/** A cell has four elements around it. */
const depthMax = 64;
/** Maximum length of a part without a tag or text, such as a comment. */
const gapMax = 1024 * 1024;
/** Longer than a URL or the name of a sheet. */
const attributeLengthMax = 2_100;
/** Limit of a cell in Excel. */
const textLengthMax = 32_768;

/**
 * Reads the XML of a workbook from pieces, and yields after each part of 64 KiB. Expands only character references and
 * the five entities of XML. Each end tag closes the innermost open element. Throws ListError for what a workbook never
 * has: other end tags, a document type, very many or deep elements, very many attributes, and long comments.
 */
export function* readXml(
  pieces: Iterable<Uint8Array>,
  handlers: XmlHandlers,
  total: XmlTotal,
): Generator<void> {
  const window = new TextWindow();
  const slice = (start: number, end: number, max: number) => window.slice(start, end, max);
  const toLocal = (name: string) => name.slice(name.indexOf(':') + 1);
  const open: string[] = [];
  let name = '';
  let attributes: Record<string, string> = {};
  let count = 0;
  let attribute = '';
  let value = '';
  const addDetail = () => {
    total.details += 1;
    if (total.details > detailsMax) throw tooManyCells();
  };
  const enter = () => {
    if (open.push(name) > depthMax) throw damaged();
    handlers.open(name, attributes);
  };
  const leave = (closed: string) => {
    if (open.pop() !== closed) throw damaged();
    handlers.close(closed);
  };
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        total.elements += 1;
        if (total.elements > elementsMax) throw tooManyCells();
        name = toLocal(slice(start, end, nameLengthMax));
        attributes = {};
        count = 0;
      },
      onattribname: (start, end) => {
        addDetail();
        attribute = toLocal(slice(start, end, nameLengthMax));
        value = '';
      },
      onattribdata: (start, end) => {
        if (value.length < attributeLengthMax) value += slice(start, end, attributeLengthMax);
      },
      onattribentity: (codePoint) => {
        addDetail();
        if (value.length < attributeLengthMax) value += String.fromCodePoint(codePoint);
      },
      onattribend: () => {
        if (count++ === attributesMax) throw damaged();
        if (attributeNames.has(attribute)) attributes[attribute] = value;
      },
      onopentagend: enter,
      onselfclosingtag: () => {
        enter();
        leave(name);
      },
      onclosetag: (start, end) => leave(toLocal(slice(start, end, nameLengthMax))),
      ontext: (start, end) => handlers.text(slice(start, end, textLengthMax)),
      ontextentity: (codePoint) => {
        addDetail();
        handlers.text(String.fromCodePoint(codePoint));
      },
      oncdata: (start, end, endLength) => {
        addDetail();
        handlers.text(slice(start, end - endLength, textLengthMax));
      },
      ondeclaration: () => {
        throw damaged();
      },
      ...{ oncomment: addDetail, onprocessinginstruction: addDetail, onend: () => {} },
    },
  );
  let decoder: TextDecoder | null = null;
  for (const piece of pieces) {
    decoder ??= new TextDecoder(detectEncoding(piece, null));
    for (let at = 0; at < piece.length; at += pieceBytes) {
      const text = decoder.decode(piece.subarray(at, at + pieceBytes), { stream: true });
      window.add(text);
      tokenizer.write(text);
      if (window.keptLength > gapMax) throw damaged();
      yield;
    }
  }
}

function damaged(): ListError {
  return new ListError('This workbook is damaged. Save it again, or as CSV.');
}

function tooManyCells(): ListError {
  return new ListError('This workbook has too many cells. Save the sheet that you need as CSV.');
}
