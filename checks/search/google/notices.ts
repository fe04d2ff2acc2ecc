import type { HTMLElement } from 'node-html-parser';
import { elementsOf } from './page.ts';

/** "Your search did not match any documents": a part of it that stays in one piece, by language. */
const NOTHING_MATCHES = [
  'did not match any documents',
  'übereinstimmenden Dokumente gefunden',
  'Aucun document ne correspond',
  'No se han encontrado resultados para tu búsqueda',
  'No se encontraron resultados para tu búsqueda',
  'non ha prodotto risultati in nessun documento',
  'não encontrou nenhum documento correspondente',
  'heeft geen overeenkomstige documenten opgeleverd',
  'ничего не найдено',
  'нічого не знайдено',
  'nie została odnaleziona',
  'matchade inte något dokument',
  'gav ingen resultater',
  'samsvarte ikke med noen dokumenter',
  'ei vastannut yhtään',
  'neodpovídají žádné dokumenty',
  'nezodpovedajú žiadne dokumenty',
  'hiçbir arama sonucu mevcut değil',
  'ile hiçbir doküman eşleşmedi',
  'δεν αντιστοιχεί σε κανένα έγγραφο',
  'に一致する情報は見つかりませんでした',
  '검색결과가 없습니다',
  '相符的内容或信息',
  '找不到符合搜尋字詞',
  'tidak cocok dengan dokumen apa pun',
  'لم يطابق بحثك',
  'לא התאים לאף מסמך',
];

/** Google says that nothing matches. Only for a page on which no result was found: a result may quote the sentence. */
export function saysNothingMatches(page: HTMLElement, elements: HTMLElement[]): boolean {
  if (elements.some(isZeroCount) || elements.some(givesAdvice)) return true;
  const text = page.text.replace(/\s+/g, ' ');
  return NOTHING_MATCHES.some((sentence) => text.includes(sentence));
}

/** What Google says about the query above results that are not the ones asked for; null if it says nothing. */
export function remark(elements: HTMLElement[]): 'nothing-matches' | 'other-query' | null {
  const text = ['taw', 'topstuff']
    .map((id) => elements.find((element) => element.id === id)?.text ?? '')
    .join(' ');
  // "No results found for … Results for … (without quotes)" and the limit of 32 words; English, as index checks are.
  if (/\bNo results found for\b/.test(text)) return 'nothing-matches';
  if (/\bwas ignored because we limit queries\b/.test(text)) return 'other-query';
  return elements.some(isWayBack) ? 'other-query' : null;
}

/**
 * "Search instead for" and "Search only for" in any language: the link to the words as they were asked carries
 * `nfpr=1` (no replacement) or `nirf` (nothing included). "Did you mean" has no way back, only `spell=1`.
 */
function isWayBack(link: HTMLElement): boolean {
  if (!link.rawAttrs.includes('/search?') || link.text.trim() === '') return false;
  const href = link.getAttribute('href') ?? '';
  if (/[?&]nirf=/.test(href)) return true;
  const isOriginal = [link, link.parentNode].some((element) => element?.classList.contains('spell_orig'));
  return isOriginal && /[?&]nfpr=1/.test(href) && !/[?&]spell=1/.test(href);
}

function isZeroCount(element: HTMLElement): boolean {
  if (element.id !== 'result-stats' && element.id !== 'resultStats') return false;
  return /^\D*\b0\b\D*(\(|$)/.test(element.text.trim());
}

/** The advice under the sentence, in any language: a paragraph with the query in it, then a list of plain hints. */
function givesAdvice(element: HTMLElement): boolean {
  const parts = elementsOf(element).flatMap((part) =>
    part.rawTagName === 'p' ? [part, ...elementsOf(part)] : [part],
  );
  const list = parts.findIndex((part) => part.rawTagName === 'ul' && isPlainList(part));
  return list > 0 && parts.slice(0, list).some((part) => part.rawTagName === 'p' && quotesQuery(part));
}

function isPlainList(list: HTMLElement): boolean {
  const items = elementsOf(list);
  return items.length > 0 && items.every((item) => item.rawTagName === 'li' && elementsOf(item).length === 0);
}

function quotesQuery(paragraph: HTMLElement): boolean {
  const near = elementsOf(paragraph).flatMap((element) => [element, ...elementsOf(element)]);
  return near.some((element) => element.rawTagName === 'em' || element.rawTagName === 'b');
}
