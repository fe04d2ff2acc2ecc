import { normalise } from '../page/normalise.ts';
import type { Page } from '../page/page.ts';
import type { Sentence, SentenceReader } from './sentences.ts';
import type { Signal } from './weights.ts';

/** Reads the sentences of a title or heading. Dashes, bars and colons may separate its parts. */
export function readTitleParts(text: string, reader: SentenceReader): Sentence[] {
  return text.split(partSeparators).flatMap((part) => reader.read(part));
}

/**
 * Returns the signals of titles or headings. Questions about an error are not a signal. For titles, `others` are the
 * sentences of the headings, and vice versa. If `others` contain a 404, an unknown word next to a 404 in `texts` means
 * error.
 */
export function topSignals(
  place: 'title' | 'heading',
  texts: readonly (readonly Sentence[])[],
  others: readonly Sentence[],
): [Signal, boolean][] {
  const plain = texts.filter((sentences) => !sentences.some(isAside)).flat();
  const isExact = plain.some(isExactly);
  const isError = plain.some((it) => isNumber(it) && it.hasErrorWord);
  const isBeside = others.some(isNumber) && plain.some((it) => it.has404 && it.otherWords <= 1);
  return [
    [`${place}_not_found`, isExact],
    [`${place}_error_404`, isError],
    [`${place}_404`, !isError && (isBeside || plain.some(isNumber))],
    [`${place}_mentions_not_found`, !isExact && plain.some(isMention)],
    [`${place}_gone`, plain.some((it) => (it.isGone || it.isOfferGone) && it.otherWords <= exactOtherWords)],
    [`${place}_unavailable`, plain.some((it) => it.isUnavailable && it.otherWords <= exactOtherWords)],
  ];
}

/**
 * Returns the signals of the text of a short page. `isOwn` is true if the page has its own headline. Such a page may
 * contain a table of status codes, so its 404 and "not found" are not signals.
 */
export function textSignals(sentences: readonly Sentence[], isOwn: boolean): [Signal, boolean][] {
  const plain = sentences.filter((it) => !it.isSearch && it.subjects.length < 2);
  const isMissing = plain.some((it) => it.isMissing || (!isOwn && isExactly(it)));
  const isGone = !isMissing && plain.some((it) => it.isGone);
  return [
    ['text_not_found', isMissing],
    ['text_gone', isGone],
    ['text_404', !isOwn && plain.some(isNumber)],
    ['text_bare_not_found', !isMissing && plain.some((it) => it.isBare)],
    ['text_unavailable', !isGone && plain.some((it) => it.isUnavailable)],
    ['text_lost', plain.some((it) => it.isHint)],
  ];
}

/**
 * Returns whether a sentence says that the offer of the page is over. The sentence may have at most `exactOtherWords`
 * other words.
 */
export function saysOfferGone(sentences: readonly Sentence[]): boolean {
  return sentences.some((it) => it.isOfferGone && !isAside(it) && it.otherWords <= exactOtherWords);
}

/** Returns whether the sentences say only that there is an error 404. */
export function isBareError(sentences: readonly Sentence[]): boolean {
  return sentences.some((it) => isNumber(it) && it.hasErrorWord) && sentences.every(mentionsError);
}

/** Returns whether the title and the headline of a page agree and do not mention an error. */
export function hasOwnHeadline(page: Page, reader: SentenceReader): boolean {
  const headline = page.headings.find((heading) => heading.level === 1 && heading.isMain);
  if (!headline || readTitleParts(headline.text, reader).some(mentionsError)) return false;
  const folded = normalise(headline.text).trim();
  return page.title
    .slice(0, titleCharsRead)
    .split(partSeparators)
    .some(
      (part) => !readTitleParts(part, reader).some(mentionsError) && isWithin(normalise(part).trim(), folded),
    );
}

/** Maximum length of a title to read, in UTF-16 units. */
export const titleCharsRead = 500;

const partSeparators = /\s[-–—~/:]+\s|\s?[|·•»›«‹–—]\s?|:\s/u;
const exactOtherWords = 3;
const mentioningWordsMax = 25;

function isAside(sentence: Sentence): boolean {
  return sentence.subjects.length > 0 || sentence.isQuestion || sentence.isSearch;
}

function isExactly(sentence: Sentence): boolean {
  if (sentence.isMissing) return sentence.otherWords <= exactOtherWords;
  return sentence.isBare && sentence.otherWords <= (sentence.has404 ? 1 : 0);
}

function isMention(sentence: Sentence): boolean {
  if (sentence.isMissing) return sentence.words <= mentioningWordsMax;
  return sentence.isBare && sentence.otherWords === 1;
}

function isNumber(sentence: Sentence): boolean {
  return sentence.has404 && sentence.otherWords <= (sentence.hasErrorWord ? 1 : 0);
}

function mentionsError(it: Sentence): boolean {
  const isStatement = it.isMissing || it.isGone || it.isOfferGone || it.isUnavailable || it.isBare;
  return (isStatement && it.otherWords <= exactOtherWords) || it.isHint || it.has404 || it.hasErrorWord;
}

function isWithin(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.includes(other) || other.includes(one));
}
