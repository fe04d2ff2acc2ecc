import { type HardWords, hardWords } from './hard-words.ts';

/** An invented page that is hard to judge, and the right verdict. */
export type HardPage = { name: string; html: string; expected: 'positive' | 'negative' };

/** Pages with menus first, tiny pages, expired offers, and existing pages that look like them. */
export function hardPages(): HardPage[] {
  return [...hardWords.flatMap(createPages), ...tinyPages(), ...lookalikes()];
}

/** Inserts three menus in plain boxes before the contents of a page. */
export function withMenuFirst(html: string, { menu }: HardWords = hardWords[0] as HardWords): string {
  const boxes = menuBoxes(menu);
  return /<body[^>]*>/iu.test(html)
    ? html.replace(/<body[^>]*>/iu, (tag) => `${tag}${boxes}`)
    : html.replace(/(<\/head>|<\/title>|^)(?![\s\S]*(?:<\/head>|<\/title>))/iu, (tag) => `${tag}${boxes}`);
}

function menuBoxes(menu: string): string {
  const names = menu.split(/[,،] | /u);
  const turned = [...names.slice(5), ...names.slice(0, 5)];
  return [names, turned, names.toReversed()].map((row) => `<div>${row.join(' ')}</div>`).join('');
}

function createPages(words: HardWords): HardPage[] {
  const { language, missing, error, listing, job, product, outOfStock, alternatives, archive } = words;
  const page = (name: string, expected: HardPage['expected'], title: string, body: string): HardPage => ({
    name: `${language} ${name}`,
    expected,
    html: `<!doctype html><html lang="${language}"><head><title>${title}</title></head><body>${body}</body></html>`,
  });
  const menu = menuBoxes(words.menu);
  const others = (names: readonly string[]) =>
    `<ul>${names.map((name) => `<li><a href="/x">${name}</a>`).join('')}</ul>`;
  const names = [listing[0], job[0], product[0]];
  const expired = Object.entries({ listing, job, product }).flatMap(([kind, [name, gone]]) => [
    page(
      `${kind} gone, under its name`,
      'positive',
      `${name} | Kontor`,
      `<h1>${name}</h1><p>${gone}</p>${others(names)}`,
    ),
    page(
      `${kind} gone, said by the heading`,
      'positive',
      `${name} | Kontor`,
      `${menu}<h1>${gone}</h1>${others(names)}`,
    ),
    page(
      `${kind} gone, in a notice before its name`,
      'positive',
      `${name} | Kontor`,
      `${menu}<div class="alert">${gone}</div><h1>${name}</h1><p>12 345, 2019-03-04</p>${others(names)}`,
    ),
  ]);
  return [
    page('menu first, then a heading', 'positive', 'Kontor', `${menu}<h2>${missing}</h2>${others(names)}`),
    page('menu first, then a paragraph', 'positive', 'Kontor', `${menu}<p>${missing}</p>`),
    page(
      'menu first, the message in a box below',
      'positive',
      '',
      `${menu}<table><tr><td>${missing}</table>${others(names)}`,
    ),
    { name: `${language} bare error`, expected: 'positive', html: error },
    {
      name: `${language} bare error in a box`,
      expected: 'positive',
      html: `<html><body><center>${error}</center>`,
    },
    ...expired,
    page(
      'out of stock',
      'negative',
      `${product[0]} | Kontor`,
      `${menu}<h1>${product[0]}</h1><p>34,00</p><p>${outOfStock}</p>${others(names)}`,
    ),
    page(
      'out of stock, said first',
      'negative',
      `${product[0]} | Kontor`,
      `<div>${outOfStock}</div><h1>${product[0]}</h1><p>34,00</p>`,
    ),
    page(
      'sold out with alternatives',
      'negative',
      `${product[0]} | Kontor`,
      `${menu}<h1>${product[0]}</h1><p>${alternatives}</p>${others(names)}`,
    ),
    page(
      'archive',
      'negative',
      `${archive[0]} | Kontor`,
      `${menu}<h1>${archive[0]}</h1><p>${archive[1]}</p>${others([...names, ...names])}`,
    ),
    page(
      'archive without a frame',
      'negative',
      `${archive[0]} | Kontor`,
      `<h1>${archive[0]}</h1><p>${archive[1]}</p>${others([...names, ...names])}`,
    ),
    page(
      'menu first, then what there is',
      'negative',
      `${job[0]} | Kontor`,
      `${menu}<h1>${job[0]}</h1><p>2019-03-04</p>${others(names)}`,
    ),
    page('a menu and nothing said', 'negative', 'Kontor', `${menu}${others(names)}`),
  ];
}

const tinyPositives = [
  'Error 404',
  '404 Error',
  'Error: 404',
  '404 Not Found',
  '404 page not found',
  'File not found.',
  'Not Found',
  '<pre>Cannot GET /shoes/red</pre>',
  '<title>404</title>404',
  '<center>404 - File or directory not found.</center>',
  '<b>HTTP Error 404</b>',
  '<p>Page not found',
  'The requested URL was not found on this server.',
  'No such page.',
];

const tinyNegatives = [
  'It works!',
  'Room 404',
  '<title>Bus 404</title>Bus 404 to the harbour, every ten minutes',
  'Error',
  'Under construction',
  'Back soon.',
  'OK',
  '<title>Status</title>404 members online',
  '<p>404 km',
  '<h1>Lost and found</h1>',
  'Maintenance until 4 pm',
  '<title>Peugeot 404</title>404',
  'Order 404 has been sent.',
  'Nothing here yet. Come back in May.',
];

function tinyPages(): HardPage[] {
  const tiny = (expected: HardPage['expected']) => (html: string) => ({
    name: `tiny: ${html}`,
    expected,
    html,
  });
  return [...tinyPositives.map(tiny('positive')), ...tinyNegatives.map(tiny('negative'))];
}

// Words of expired offers on existing pages.
const alike: readonly (readonly [title: string, text: string])[] = [
  ['Eichenschrank', 'Anzeige eingestellt am 12. März. 120 Euro, Abholung in Leipzig.'],
  ['Arrêté du 3 mai 2019', 'Article 1. Le présent arrêté est publié au recueil des actes administratifs.'],
  ['Жилой комплекс «Берег»', 'Объект сдан в 2019 году. Свободные квартиры от 4 млн.'],
  ['Laadstation 40 W', 'Dit product wordt niet meer geleverd met kabel. Prijs 39,00.'],
  ['Closing a position', 'A position is closed when you sell what you bought. Fees apply.'],
  ['The foundry', 'My father lost his job in the spring and the foundry was gone by May.'],
  ['Summer fair', 'The fair was held in June. Photographs of the day are below.'],
  ['Copper kettle 2 l', '34.00. Back in stock in May. Other sizes are available now.'],
  ['Kettle, 3 litres', 'Replaces the 2 litre kettle, which was withdrawn. 44.00, in stock.'],
  ['Wollmütze', 'Nur noch wenige auf Lager. Nicht verfügbar in Größe L.'],
  ['Offres de stage', 'Les candidatures sont ouvertes du 1er au 30 avril.'],
  ['Vacancies', 'There are no vacancies at present. Send us your CV all the same.'],
  ['Sold prices in Leeds', 'What homes sold for: 12 Oak Road, 210,000; 14 Oak Road, 215,000.'],
  ['Oferta educativa', 'El plazo de inscripción ha finalizado. El próximo curso comienza en septiembre.'],
  ['Archivio 2012', 'Articoli pubblicati nel 2012, in ordine di data.'],
  ['中古物件のご案内', '駅から徒歩5分。3LDK、2,980万円。内覧は予約制です。'],
  ['Auction results, 4 March', 'Lot 1 sold for 300. Lot 2 sold for 120. Lot 3 was withdrawn.'],
  ['How long we keep adverts', 'An advert ends after 60 days. Expired adverts can be renewed once.'],
];

function lookalikes(): HardPage[] {
  return alike.map(([title, text]) => ({
    name: `lookalike: ${title}`,
    expected: 'negative',
    html: `<!doctype html><html><head><title>${title} | Kontor</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`,
  }));
}
