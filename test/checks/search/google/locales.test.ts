import { expect } from 'chai';
import { countryNumber, parseCountry, parseLanguage } from '../../../../checks/search/google/locales.ts';

describe('countries and languages', () => {
  it('accept a country in any case, and UK as GB', () => {
    expect(parseCountry('us')).to.equal('US');
    expect(parseCountry('UK')).to.equal('GB');
    expect(parseCountry('gb')).to.equal('GB');
  });

  it('reject other codes of countries', () => {
    for (const code of ['', 'U', 'USA', 'EU', 'XX', 'U S', 'constructor'])
      expect(parseCountry(code)).to.equal(null);
  });

  it('use Google’s codes of languages', () => {
    expect(parseLanguage('EN')).to.equal('en');
    expect(parseLanguage('zh')).to.equal('zh-CN');
    expect(parseLanguage('he')).to.equal('iw');
    expect(parseLanguage('nb')).to.equal('no');
    expect(parseLanguage('nn')).to.equal('nn');
    expect(parseLanguage('ZH-tw')).to.equal('zh-TW');
    expect(parseLanguage('es-419')).to.equal('es-419');
  });

  it('reject other codes of languages', () => {
    for (const code of ['', 'xx', 'eng', 'en-US', 'iw ish']) expect(parseLanguage(code)).to.equal(null);
  });

  it('have an ISO number for every country', () => {
    expect(countryNumber('US')).to.equal(840);
    expect(countryNumber('GB')).to.equal(826);
    expect(() => countryNumber('UK')).to.throw(RangeError);
  });
});
