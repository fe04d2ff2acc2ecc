import { expect } from 'chai';
import { countryNumber, readCountry, readLanguage } from '../../../../checks/search/google/locales.ts';

describe('countries and languages', () => {
  it('accept a country in any case, and UK as GB', () => {
    expect(readCountry('us')).to.equal('US');
    expect(readCountry('UK')).to.equal('GB');
    expect(readCountry('gb')).to.equal('GB');
  });

  it('reject other codes of countries', () => {
    for (const code of ['', 'U', 'USA', 'EU', 'XX', 'U S', 'constructor'])
      expect(readCountry(code)).to.equal(null);
  });

  it('use Google’s codes of languages', () => {
    expect(readLanguage('EN')).to.equal('en');
    expect(readLanguage('zh')).to.equal('zh-CN');
    expect(readLanguage('he')).to.equal('iw');
    expect(readLanguage('nb')).to.equal('no');
    expect(readLanguage('nn')).to.equal('nn');
  });

  it('reject other codes of languages', () => {
    for (const code of ['', 'xx', 'eng', 'en-US', 'iw ish']) expect(readLanguage(code)).to.equal(null);
  });

  it('include the number of every country', () => {
    expect(countryNumber('US')).to.equal(840);
    expect(countryNumber('GB')).to.equal(826);
    expect(() => countryNumber('UK')).to.throw(RangeError);
  });
});
