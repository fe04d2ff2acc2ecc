import { expect } from 'chai';
import { readGoogleHtml } from '../../../../checks/search/google/html.ts';
import { bookPageType, parseVedType, videoType, webPageType } from '../../../../checks/search/google/ved.ts';
import { pageWith } from '../../../support/google-pages.ts';
import { expectFailure } from '../../../support/provider.ts';

const read = (list: string) => readGoogleHtml(pageWith('', list), 'brightdata').results.map(({ url }) => url);

const ved = (type: number) => `2${Buffer.from([0x10, (type & 127) | 128, type >> 7]).toString('base64url')}`;
const noted = (type?: number) => (type === undefined ? '' : ` data-ved="${ved(type)}"`);
const appCard = 16_997;
const newsTile = 21_954;

/** A result of a desktop page of 2023, and of one for phones. */
const desktop = (url: string, type?: number) =>
  `<div class="MjjYud"><div class="g Ww4FFb tF2Cxc"><div class="yuRUbf"><a href="${url}"${noted(type)}><h3 class="LC20lb">Shoes</h3></a></div></div></div>`;
const mobile = (url: string, type?: number) =>
  `<div class="MjjYud"><div class="Ww4FFb xpd"><a class="cz3goc" href="${url}"${noted(type)}><div role="heading" aria-level="3">Shoes</div></a></div></div>`;
/** A result of another kind, without a header that marks it. */
const tile = (url: string, type?: number) =>
  `<div class="MjjYud"><div class="Ww4FFb vt6azd"><a href="${url}"${noted(type)}><div><div role="heading">News</div></div></a></div></div>`;

const one = 'https://one.example/';
const two = 'https://two.example/';
const box = 'https://box.example/';

describe('organic results', () => {
  it('exclude tiles and cards beside headings of HTML', () => {
    expect(read(tile(box) + desktop(one) + tile(box) + desktop(two))).to.deep.equal([one, two]);
  });

  it('exclude tiles and cards beside results that Google labels as web pages', () => {
    const list =
      mobile(one, webPageType) + tile(box, appCard) + mobile(two, webPageType) + tile(box, newsTile);
    expect(read(list)).to.deep.equal([one, two]);
  });

  it('are links with a heading by role if Google labels none as a web page', () => {
    expect(read(mobile(one) + mobile(two))).to.deep.equal([one, two]);
    expect(read(mobile(one, 1) + mobile(two, 1))).to.deep.equal([one, two]);
  });

  it('are links that Google labels as web pages, with any kind of heading', () => {
    expect(read(desktop(one, webPageType) + mobile(two, webPageType))).to.deep.equal([one, two]);
  });

  it('include pages of books, and articles with a video', () => {
    const list =
      desktop(one, webPageType) + mobile(two, videoType) + mobile('https://books.example/', bookPageType);
    expect(read(list)).to.deep.equal([one, two, 'https://books.example/']);
  });

  it('are unknown if Google hides an address, as since August 2026', async () => {
    const token = 'CAESegHrOzAVXrOxTz8MiFgIt6woNHzA9uz8r1N';
    const hidden = desktop(`/goto?url=${token}`, webPageType);
    await expectFailure('blocked', () => read(hidden));
    await expectFailure('blocked', () => read(desktop(one, webPageType) + hidden));
    expect(read(desktop(one, webPageType) + tile(`/goto?url=${token}`, newsTile))).to.deep.equal([one]);
  });

  it('exclude videos', () => {
    const watch = 'https://www.youtube.com/watch?v=x';
    // Videos in the layouts of desktops of 2023 and 2026, of a phone of 2021, and of a browser without scripts.
    const laidOut = `<div class="MjjYud"><div class="g dFd2Tb"><div class="ct3b9e"><a href="${watch}"><h3>Film</h3></a></div></div></div>
      <div class="MjjYud"><div class="PmEWq Ww4FFb"><a href="/goto?url=CAESaQHrOzAVJOnXic8A1CMuQbgf6GuF"><h3>Film</h3></a></div></div>
      <div class="mnr-c"><video-voyager><a href="https://m.youtube.com/watch?v=y"><div role="heading">Film</div></a></video-voyager></div>
      <div class="Gx5Zad xpd"><div class="egMi0"><a href="/url?q=${encodeURIComponent(watch)}&amp;ved=${ved(videoType)}"><h3>Film</h3></a></div></div>`;
    expect(read(desktop(one, webPageType) + laidOut)).to.deep.equal([one]);
    expect(read(desktop('https://www.youtube.com/google', videoType))).to.have.length(1);
  });
});

describe('parseVedType', () => {
  // Values published by the first people who analysed `ved`, and values of later years.
  const known: [ved: string, type: number | null][] = [
    ['0CFYQFjAG', webPageType],
    ['0CAsQFjAA', webPageType],
    ['2ahUKEwjNh43Omc2LAxWVdPUHHR27CngQFnoECAkQAQ', webPageType],
    ['2ahUKEwjqprfs7ZL0AhVeRzABHR0OBXAQtwJ6BQiXAhAD', videoType],
    [`2${Buffer.from([0x10, 0xe8, 0x01]).toString('base64url')}`, bookPageType],
  ];
  for (const [ved, type] of known)
    it(`reads ${type} from ${ved}`, () => expect(parseVedType(ved)).to.equal(type));

  for (const ved of ['', '2', 'ved_70', '1t:22,r:1', `2${'A'.repeat(300)}`, '2EA', '2//8', '2f39_f39_f39_']) {
    it(`returns null for "${ved.slice(0, 20)}"`, () => expect(parseVedType(ved)).to.equal(null));
  }
});
