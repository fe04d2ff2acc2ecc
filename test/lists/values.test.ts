import { expect } from 'chai';
import { readValue } from '../../lists/values.ts';

describe('a cell of a rank list', () => {
  const cases: Array<[field: Parameters<typeof readValue>[0], cells: string, value: object | null]> = [
    ['device', 'mobile|Mobile|SMARTPHONE|iphone|Mobil|komórka', { device: 'mobile' }],
    ['device', 'desktop|Desktop|PC|computer|Ordinateur', { device: 'desktop' }],
    ['device', 'tablet|watch|mobil?', null],
    ['brd_mobile', 'true|Yes|1|ja|tak|oui|sí', { brd_mobile: true }],
    ['brd_mobile', 'FALSE|no|0|nein|nie|non', { brd_mobile: false }],
    ['brd_mobile', 'perhaps', null],
    ['country', 'de|DE|deu|DEU|Germany|deutschland|Allemagne', { country: 'DE' }],
    ['country', 'US|usa|United States|Vereinigte Staaten', { country: 'US' }],
    ['country', 'xkk', { country: 'XK' }],
    ['country', 'uk|UK', { country: 'UK' }],
    ['country', 'Atlantis|London|zzz|AAA|ZZ', null],
    ['location', 'Austin, TX', { location: 'Austin, TX' }],
    ['language', 'de|DE|German|deutsch', { language: 'de' }],
    ['language', 'de-CH|de_ch', { language: 'de', country: 'CH' }],
    ['language', 'pt-BR|PT_br', { language: 'pt-BR', country: 'BR' }],
    ['language', 'es-419', { language: 'es-419' }],
    ['language', 'he|Hebrew', { language: 'he' }],
    ['language', 'Klingonish|xx|xx-DE|de-XX', null],
    ['match', 'site|Domain', { match: 'site' }],
    ['match', 'host|Exact host', { match: 'host' }],
    ['match', 'page|URL', { match: 'page' }],
    ['match', 'prefix|folder', { match: 'prefix' }],
    ['match', 'broad', null],
    ['start_page', '2', { start_page: 2 }],
    ['end_page', '3|3.0', { end_page: 3 }],
    ['end_page', 'last|all|-1|2.5|2-4', null],
    ['full', 'yes', { full: true }],
    ['include', 'features ai_overview|Features, AI_Overview', { include: ['features', 'ai_overview'] }],
    ['include', 'yes', null],
  ];
  for (const [field, cells, value] of cases) {
    it(`is ${value ? JSON.stringify(value) : `no ${field}`} for ${cells}`, () => {
      for (const cell of cells.split('|')) expect(readValue(field, cell), cell).to.deep.equal(value);
    });
  }

  it('may contain several competitors with any separators', () => {
    for (const cell of [
      'a.example; b.example',
      'a.example,b.example',
      'a.example b.example',
      'a.example|b.example',
    ])
      expect(readValue('competitors', cell)).to.deep.equal({ competitors: ['a.example', 'b.example'] });
  });

  it('has at most one competitor more than the API allows, each of limited length', () => {
    const long = 'x'.repeat(20_000);
    for (const cell of [`;${'a.example;'.repeat(2_000)}`, 'a.example '.repeat(12)])
      expect(readValue('competitors', cell)).to.deep.equal({
        competitors: new Array(11).fill('a.example'),
      });
    expect(readValue('competitors', long)).to.deep.equal({ competitors: [long.slice(0, 4_200)] });
  });
});
