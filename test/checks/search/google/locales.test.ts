import { expect } from 'chai';
import { countryNumber, parseCountry, parseLanguage } from '../../../../checks/search/google/locales.ts';

describe('countries and languages', () => {
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

  it('have an ISO number for every country', () => {
    expect(countryNumber('US')).to.equal(840);
    expect(countryNumber('GB')).to.equal(826);
    expect(() => countryNumber('UK')).to.throw(RangeError);
  });
});
