import { rawModes, type Tag } from './tags.ts';

/** A tag that is what it looks like, and where it ends. */
export interface PlainTag {
  tag: Tag;
  isEnd: boolean;
  end: number;
}

/**
 * The tag that begins at a place of a text, as a tokenizer that stands between tags would read it; null where that
 * takes more than names in small letters and values without a reference: then the tokenizer is asked. `special` is
 * where the first ampersand, null character or carriage return from there on stands. Exact (HTML standard, 13.2.5.6
 * to 13.2.5.40), and most tags of most pages are such.
 */
export function plainTagAt(text: string, at: number, special: number): PlainTag | null {
  const isEnd = text.charCodeAt(at + 1) === slash;
  const nameAt = at + (isEnd ? 2 : 1);
  const nameEnd = endOfName(text, nameAt);
  const first = text.charCodeAt(nameAt);
  if (first < letterA || first > letterZ) return null;
  const tagName = text.slice(nameAt, nameEnd);
  // What follows these is read in another way, which the tokenizer must know of.
  if (rawModes.has(tagName)) return null;
  let attrs = none;
  let here = nameEnd;
  while (true) {
    const before = here;
    here = afterSpace(text, here);
    const unit = text.charCodeAt(here);
    if (unit === closing || unit === slash) break;
    if (isEnd || attrs.length === attributesMax || (before === here && attrs.length === 0)) return null;
    const plain = attributeAt(text, here);
    if (plain === null) return null;
    here = plain.end;
    // Most have one at most, and a list that is pushed to makes room for seventeen.
    if (attrs.length === 0) attrs = [plain.attribute];
    else if (!has(attrs, plain.attribute.name)) attrs.push(plain.attribute);
  }
  const selfClosing = text.charCodeAt(here) === slash;
  if (selfClosing) here += 1;
  if (text.charCodeAt(here) !== closing || here > special) return null;
  return { tag: { tagName, attrs, selfClosing }, isEnd, end: here + 1 };
}

/** Of most tags; nobody adds to it. */
const none: Tag['attrs'] = [];
// Each is compared with those before it; a tokenizer has a set of them.
const attributesMax = 24;
const slash = 0x2f;
const closing = 0x3e;
const equals = 0x3d;
const [letterA, letterZ] = [0x61, 0x7a];
const [double, single] = [0x22, 0x27];

interface PlainAttribute {
  attribute: Tag['attrs'][number];
  end: number;
}

/** The attribute that begins at a place, and where it ends; null if it is not plain. */
function attributeAt(text: string, at: number): PlainAttribute | null {
  const nameEnd = endOfName(text, at);
  if (nameEnd === at) return null;
  const name = text.slice(at, nameEnd);
  if (text.charCodeAt(nameEnd) !== equals) {
    return endsName(text, nameEnd) ? { attribute: { name, value: '' }, end: nameEnd } : null;
  }
  const quote = text.charCodeAt(nameEnd + 1);
  const isQuoted = quote === double || quote === single;
  const valueAt = nameEnd + (isQuoted ? 2 : 1);
  const valueEnd = isQuoted
    ? text.indexOf(quote === double ? '"' : "'", valueAt)
    : endOfUnquoted(text, valueAt);
  if (valueEnd < 0 || (!isQuoted && valueEnd === valueAt)) return null;
  const value = text.slice(valueAt, valueEnd);
  return { attribute: { name, value }, end: valueEnd + (isQuoted ? 1 : 0) };
}

function has(attrs: Tag['attrs'], name: string): boolean {
  for (const attr of attrs) if (attr.name === name) return true;
  return false;
}

/** An attribute without a value ends with its tag, or with a space after which no value comes. */
function endsName(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit === closing || unit === slash) return true;
  const next = afterSpace(text, at);
  return next > at && text.charCodeAt(next) !== equals;
}

function endOfName(text: string, at: number): number {
  let end = at;
  while (kinds[text.charCodeAt(end)] === ofName) end++;
  return end;
}

function endOfUnquoted(text: string, at: number): number {
  let end = at;
  while ((kinds[text.charCodeAt(end)] ?? 0) >= ofValue) end++;
  return end;
}

function afterSpace(text: string, at: number): number {
  let end = at;
  while (kinds[text.charCodeAt(end)] === space) end++;
  return end;
}

const space = 1;
const ofValue = 2;
const ofName = 3;

/** By code unit. */
const kinds = new Uint8Array(0x80);
for (const one of ' \n\t\f') kinds[one.charCodeAt(0)] = space;
for (const one of '/.?#%+,;()!*~@$') kinds[one.charCodeAt(0)] = ofValue;
for (const one of 'abcdefghijklmnopqrstuvwxyz0123456789-_:') kinds[one.charCodeAt(0)] = ofName;
for (const one of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') kinds[one.charCodeAt(0)] = ofValue;
