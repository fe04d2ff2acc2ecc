import type { HTMLElement } from 'node-html-parser';
import { childElements, descendantElements } from './page.ts';

/** Part of "Your search did not match any documents" in each language. No part contains markup. */
const sentences = [
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

/**
 * Returns true if Google says that nothing matches, or that it omitted similar results. Use it only for pages without
 * results, because results may quote the sentence.
 */
export function hasNoMatchesNotice(page: HTMLElement, elements: HTMLElement[]): boolean {
  if (elements.some(isZeroCount) || elements.some(isSearchAdvice) || elements.some(isOmittedNotice))
    return true;
  const text = page.text.replace(/\s+/g, ' ');
  return sentences.some((sentence) => text.includes(sentence));
}

function isZeroCount(element: HTMLElement): boolean {
  if (element.id !== 'result-stats' && element.id !== 'resultStats') return false;
  return /^\D*\b0\b\D*(\(|$)/.test(element.text.trim());
}

/** Recognises "We have omitted some entries" at the end of the results by its link with `filter=0`. */
function isOmittedNotice(element: HTMLElement): boolean {
  if (element.id !== 'ofr') return false;
  return descendantElements(element).some((link) => /[?&]filter=0\b/.test(link.getAttribute('href') ?? ''));
}

/** Recognises the advice under the sentence in any language: a paragraph with the query, then a list of plain hints. */
export function isSearchAdvice(element: HTMLElement): boolean {
  const parts = childElements(element).flatMap((part) =>
    part.rawTagName === 'p' ? [part, ...childElements(part)] : [part],
  );
  const list = parts.findIndex((part) => part.rawTagName === 'ul' && isPlainList(part));
  return list > 0 && parts.slice(0, list).some((part) => part.rawTagName === 'p' && quotesQuery(part));
}

function isPlainList(list: HTMLElement): boolean {
  const items = childElements(list);
  return (
    items.length > 0 && items.every((item) => item.rawTagName === 'li' && childElements(item).length === 0)
  );
}

function quotesQuery(paragraph: HTMLElement): boolean {
  const near = childElements(paragraph).flatMap((element) => [element, ...childElements(element)]);
  return near.some((element) => element.rawTagName === 'em' || element.rawTagName === 'b');
}
