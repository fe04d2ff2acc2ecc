/**
 * Small result pages, one for each generation of Google's layout. They are written by hand after real pages, with other
 * words and URLs. Each lists the same three results (`one`, `two` and `three.example`) among other boxes
 * (`box.example`).
 */
export interface LayoutPage {
  title: string;
  html: string;
  /** Expected URLs, by default the three results. */
  urls?: string[];
  featuredSnippetUrl?: string;
}

export const organicResults = [
  'https://one.example/',
  'https://two.example/red-shoes',
  'https://three.example/?p=3&c=red',
];
const [One, Two, Three] = organicResults as [string, string, string];
const boxUrl = 'https://box.example/';

function page(body: string, lang = 'en', query = 'red shoes'): string {
  return `<!doctype html><html itemscope itemtype="http://schema.org/SearchResultsPage" lang="${lang}"><head>
    <title>red shoes - Google Search</title><script>var s = '<div class="g"><h3><a href="${boxUrl}">no</a></h3></div>';</script>
    <noscript><meta content="0;url=/httpservice/retry/enablejs?sei=x" http-equiv="refresh"></noscript></head>
    <body><!-- <h3 class="r"><a href="${boxUrl}">no</a></h3> --><form action="/search">
    <textarea name="q" role="combobox">${query}</textarea></form><div id="main">${body}</div></body></html>`;
}

const escaped = (url: string) => url.replaceAll('&', '&amp;');

// 2015 to 2018, desktop: the title wraps the link.
const rc = (url: string) => `<div class="rc" data-hveid="30"><h3 class="r"><a href="${escaped(url)}"
  onmousedown="return rwt(this,'','','','1','AFQ','','0CB0','','',event)">Shoes</a></h3><div class="s"><cite>shop</cite>
  <a class="fl" href="https://translate.google.com/translate?u=${url}">Translate this page</a></div></div>`;

const desktop2015 = page(`<div id="taw"><div id="tvcap"><div id="tads"><ol>
  <li class="ads-ad"><h3><a href="/aclk?sa=L&amp;adurl=${boxUrl}">Ad</a></h3></li>
  <li class="ads-ad"><h3><a href="${boxUrl}">Ad</a></h3></li></ol></div></div></div>
  <div id="topstuff"><p id="msg_box" style="display:none"><span class="spell_orig"></span><a class="spell_orig"></a></p></div>
  <div id="search"><div id="ires"><ol id="rso">
  <li class="g" id="lclbox"><div class="intrlu"><div class="vsc vscl"><div class="g"><h3 class="r"><a class="l" href="${boxUrl}">Shop</a></h3></div></div></div></li>
  <li class="g">${rc(One)}<table class="nrgt"><tr class="mslg"><td><div class="sld vsc"><h3 class="r"><a class="l" href="${boxUrl}">Sale</a></h3></div></td></tr></table></li>
  <li class="g" id="imagebox_bigimages"><div class="_Icb"><a href="/search?q=red&amp;tbm=isch">Images</a></div></li>
  <div class="srg"><li class="g">${rc(Two)}</li><li class="g"><table class="ts"><tr><td><img></td><td><h3 class="r"><a href="${escaped(Three)}">Film</a></h3></td></tr></table></li></div>
  </ol></div></div><div id="rhs"><li class="g mnr-c"><div class="kp-blk"><div class="xpdopen"><h3><a href="${boxUrl}">Fact</a></h3></div></div></li></div>`);

// 2016 to 2018, desktop: a snippet above the list, quoting a page of the list; posts; a video.
const desktop2017 = page(`<div id="search"><div id="ires"><div id="rso"><div class="_NId">
  <div class="g mnr-c g-blk"><div class="kp-blk _Z7 _Rqb"><div class="xpdopen"><div class="_OKe"><div class="mod" data-attrid="wa:/description">
  <div role="heading" data-attrid="wa:/description">They are red.</div></div><div class="g">${rc(Two)}</div></div></div></div></div></div>
  <div class="g"><div class="_Zfh"><h3 class="r"><g-link><a href="https://twitter.example/box">Posts</a></g-link></h3></div>
  <g-scrolling-carousel><g-inner-card><div role="heading"><a href="${boxUrl}">post</a></div></g-inner-card></g-scrolling-carousel></div>
  <div class="related-question-pair"><div class="_TUj"><div class="g">${rc(boxUrl)}</div></div></div>
  <div class="srg"><div class="g">${rc(One)}</div><div class="g">${rc(Two)}</div></div>
  <g-section-with-header class="g"><h3 class="_DM"><a href="${boxUrl}">Top stories</a></h3></g-section-with-header>
  <div class="srg"><div class="g">${rc(Three)}</div></div></div></div></div>`);

// 2019, desktop: the link wraps the title.
const r = (
  url: string,
) => `<div class="rc"><div class="r"><a href="${escaped(url)}" ping="/url?sa=t&amp;url=${escaped(url)}">
  <h3 class="LC20lb">Shoes</h3><br><cite class="iUh30">shop › red</cite></a><span><a class="fl" href="${boxUrl}">Cached</a></span></div>
  <div class="s"><a href="${boxUrl}">Jump to red</a></div></div>`;

const desktop2019 =
  page(`<div id="search"><div id="rso"><div class="bkWMgd"><h2 class="bNg8Rb">Web results</h2>
  <div class="srg"><div class="g">${r(One)}</div></div></div>
  <div class="bkWMgd"><div><g-section-with-header><h3><a href="/search?q=red&amp;tbm=isch">Images for red shoes</a></h3></g-section-with-header></div></div>
  <div class="bkWMgd"><g-section-with-header><div role="heading" aria-level="2">Videos</div><g-scrolling-carousel><g-inner-card>
  <a href="${boxUrl}"><div role="heading">Film</div></a></g-inner-card></g-scrolling-carousel></g-section-with-header></div>
  <div class="bkWMgd"><div class="srg"><div class="g">${r(Two)}</div><div class="g">${r(Three)}</div></div></div></div></div>
  <div id="bottomads"><div id="tadsb"><li class="ads-ad"><h3><a href="${boxUrl}">Ad</a></h3></li></div></div>`);

// 2021 to 2023, desktop: a second result of the same site indented under the first.
const yu = (
  url: string,
) => `<div class="tF2Cxc"><div class="yuRUbf"><a href="${escaped(url)}" data-ved="2a"><br>
  <h3 class="LC20lb MBeuO DKV0Md">Shoes</h3><div class="TbwUpd"><cite>shop › red</cite></div></a></div><div class="IsZvec">Red.</div></div>`;

const desktop2022 =
  page(`<div id="tads"><div class="uEierd"><div data-text-ad="1"><a href="${boxUrl}"><div role="heading">Ad</div></a></div></div></div>
  <div id="search"><div id="rso" class="v7W49e">
  <div class="hlcw0c"><div class="g"><div class="jNVrwc">${yu(One)}</div><ul class="FxLDp"><li class="MYVUIe"><div class="g">${yu(Two)}</div></li></ul></div></div>
  <div class="ULSxyf"><div class="cUezCb"><div role="heading" aria-level="2">Videos</div><div class="VibNM"><a href="${boxUrl}"><div role="heading" aria-level="3">Film</div></a></div></div></div>
  <div class="ULSxyf"><div class="uVMCKf"><div class="RzdJxc"><a class="X5OiLe" href="${boxUrl}"><div role="heading">Film</div></a></div></div></div>
  <div class="g"><div class="BYM4Nd">${yu(Three)}<table class="jmjoTe"><tr class="mslg"><td><div class="usJj9c"><h3><a class="l" href="${boxUrl}">Sale</a></h3></div></td></tr></table></div></div>
  </div></div><div id="botstuff"><div class="WZH4jc"><a href="/search?q=red+shoes&amp;start=10"><h3>More results</h3></a></div></div>`);

// 2024 to 2026, desktop: a panel over the whole page with the list on one of its tabs. Only the snippet links its page.
const mj = (
  url: string,
) => `<div class="MjjYud"><div class="A6K0A"><div class="wHYlTd Ww4FFb vt6azd tF2Cxc"><div class="N54PNb">
  <div class="kb0PBd"><div class="yuRUbf"><div><span class="V9tjod"><a jsname="UWckNb" class="zReHs" href="${escaped(url)}"
  ping="/url?url=${escaped(url)}"><h3 class="LC20lb MBeuO DKV0Md">Shoes</h3><div class="notranslate"><cite>shop › red</cite></div></a></span></div></div></div>
  <div class="VwiC3b">Red. <a href="${boxUrl}">Jump</a></div></div></div></div></div>`;

const desktop2025 =
  page(`<div id="search"><div id="rso" class="dURPMd"><div class="MjjYud"><div class="kp-wholepage kp-wholepage-osrp"><div class="xDKLO">
  <div id="kp-wp-tab-cont-overview"><div id="kp-wp-tab-overview"><div class="TzHB6b cLjAic"><div class="sATSHe"><div class="wDYxhc" data-attrid="kc:/shoe">
  <div role="heading" aria-level="2">About</div><a href="${boxUrl}"><div role="heading" aria-level="3">Reviews</div></a></div></div></div>
  <div class="ULSxyf"><block-component><div class="g wF4fFd"><div class="xpdopen"><div class="ifM9O"><div class="wDYxhc" data-attrid="wa:/description">
  <div class="LGOjhe" role="heading" data-attrid="wa:/description">They are red.</div></div><div class="V3FYCf"><div class="g"><div class="tF2Cxc"><div class="yuRUbf"><a href="${One}"><h3 class="LC20lb">Shoes</h3></a></div></div></div></div></div></div></div></block-component></div>
  <div class="MjjYud"><div class="cUnQKe"><div role="heading" aria-level="2">People also ask</div><div class="related-question-pair" data-q="Red?"><div class="g">${yu(boxUrl)}</div></div></div></div>
  ${mj(Two)}<div class="MjjYud"><g-section-with-header><div role="heading">Discussions</div><a href="${boxUrl}"><div role="heading">Forum</div></a></g-section-with-header></div>${mj(Three)}
  </div></div></div></div></div></div></div>`);

// August 2026, desktop, after karust/openserp pull request 51: a video outside of a box, a block of searches for
// advertisers, and a link with a hidden URL under each text.
const rd = (
  url: string,
) => `<div class="MjjYud"><div class="A6K0A" data-rpos="4"><div class="wHYlTd Ww4FFb tF2Cxc asEBEc vt6azd"><div class="N54PNb">
  <div class="kb0PBd"><div class="yuRUbf"><div class="b8lM7"><span class="V9tjod"><a jsname="UWckNb" class="zReHs" href="${escaped(url)}"
  data-ved="2ahUKEwjww8e2hsuWAxWefvUHHapLGBEQFnoECBYQAQ"><h3 class="LC20lb MBeuO DKV0Md">Shoes</h3><br><div class="notranslate"><cite>shop › red</cite></div></a></span></div></div></div>
  <div class="kb0PBd"><div class="VwiC3b">Red. <a class="vzmbzf" href="/goto?url=CAESiwIB6zswFQhV3GNluyU56qxjMBr2"><span>Read more</span></a></div></div></div></div></div></div>`;

const desktop2026 = page(`<div id="search"><div id="rso" class="dURPMd">${rd(One)}<div class="MjjYud"></div>
  <div class="MjjYud"><div class="A6K0A"><div class="PmEWq wHYlTd Ww4FFb vt6azd"><div class="WVV5ke" data-surl="https://www.youtube.com/watch?v=x"><div class="xe8e1b">
  <a jsname="UWckNb" class="zReHs" href="https://www.youtube.com/watch?v=x" data-ved="2ahUKEwjww8e2hsuWAxWefvUHHapLGBEQtwJ6BAg0EAI"><h3 class="LC20lb">Film</h3></a></div></div></div></div></div>
  ${rd(Two)}<div class="MjjYud"><div id="k04FTb"><div class="S6Ggif Ww4FFb vt6azd"><div class="LDDHO IFnjPb" role="heading" aria-level="2">Find related products &amp; services</div>
  <ul><li class="o1QE1"><a class="N5d7Tc" href="http://www.google.com/search?q=red&amp;mrq=1"><div>red <b>boots</b></div></a></li></ul></div></div></div>${rd(Three)}</div></div>`);

// 2016 and 2017, mobile.
const mobile2017 =
  page(`<div id="rso"><div class="g kno-result kno-kp mnr-c g-blk"><div class="kp-blk knowledge-panel"><div class="xpdopen"><div class="mod">
  <a href="${boxUrl}" role="button">Site</a><h3><a href="${boxUrl}">Fact</a></h3></div></div></div></div>
  <div class="srg"><div class="mnr-c"><div class="g card-section"><div class="rc"><div class="_OXf"><h3 class="r"><a class="_wSg" href="${One}">Shoes</a></h3></div></div></div></div>
  <div class="mnr-c"><div class="g card-section"><div class="rc"><h3 class="r"><a class="_wSg amp_r" data-amp-cur="${Two}" href="/amp/s/two.example/red-shoes">Shoes</a></h3></div></div></div></div>
  <g-card><div class="mnr-c"><div class="g card-section"><div class="rc"><h3 class="r"><a href="${escaped(Three)}">Shoes</a></h3></div></div></div></g-card></div>`);

// 2019 to 2021, mobile: titles are headings by role.
const c8 = (
  url: string,
) => `<div class="srg"><div class="mnr-c xpd O9g5cc uUPGi"><div class="U3THc"><div class="KJDcUb"><a class="C8nzq BmP5tf" href="${escaped(url)}">
  <div class="QZI8gf"><span>shop › red</span></div><div aria-level="3" role="heading" class="PpBGzd">Shoes</div></a></div></div><div class="JTuIPc">Red.
  <a class="BmP5tf" href="${boxUrl}">Sale</a></div></div></div>`;

const mobile2020 =
  page(`<div id="rso"><g-card class="I7zR5" data-hveid="CAMQAA"><div class="mnr-c"><div><g-tray-header><div role="heading" aria-level="2">Interesting finds</div></g-tray-header></div>
  <div><a href="${boxUrl}"><div role="heading" aria-level="3">Finds</div></a></div></div></g-card>${c8(One)}
  <g-card id="tscffb"><div class="mnr-c"><div aria-level="2" role="heading">Top stories</div><div data-hveid="CA"><a class="amp_r" href="${boxUrl}"><div role="heading">News</div></a></div></div></g-card>
  ${c8(Two)}<div class="mnr-c"><div class="scm-c"><div role="heading">Places</div><a href="${boxUrl}"><div role="heading">Shop</div></a></div></div>${c8(Three)}</div>`);

// 2022 to 2026, mobile.
const cz = (
  url: string,
) => `<div class="MjjYud"><div><div class="Ww4FFb vt6azd xpd EtOod"><div class="kvH3mc"><div class="P8ujBc"><a class="cz3goc BmP5tf" href="${escaped(url)}">
  <div class="UPmit">shop › red</div><div aria-level="3" role="heading" class="oewGkc"><div>Shoes</div></div></a></div></div></div></div></div>`;

const mobile2023 =
  page(`<div id="tads"><div class="uEierd"><div class="Ww4FFb xpd"><a href="${boxUrl}"><div role="heading">Ad</div></a></div></div></div>
  <div id="rso">${cz(One)}<div class="MjjYud"><div class="uVMCKf Ww4FFb"><div role="heading" aria-level="2">Videos</div><div class="RzdJxc"><div role="heading"><a href="${boxUrl}">Film</a></div></div></div></div>
  <div class="MjjYud"><div class="Ww4FFb"><div role="heading" aria-level="2">Stories</div><a href="${boxUrl}"><div role="heading">Story</div></a></div></div>
  <div class="MjjYud"><div class="Ww4FFb xpd"><div>${cz(Two)}</div><div>${cz(Three)}</div></div></div></div>`);

// 2019 to 2024, without script.
const zin = (
  url: string,
) => `<div><div class="Gx5Zad ZINbbc xpd O9g5cc uUPGi"><div class="egMi0 kCrYT"><a href="/url?q=${encodeURIComponent(url)}&amp;sa=U&amp;ved=2a&amp;usg=A">
  <h3 class="zBAuLc l97dzf"><div class="BNeawe vvjwJb AP7Wnd">Shoes</div></h3><div class="BNeawe UPmit AP7Wnd">shop › red</div></a></div>
  <div class="kCrYT"><a href="/url?q=${boxUrl}&amp;sa=U"><span>Sale</span></a></div></div></div>`;

const noScript =
  page(`<div class="uEierd"><a href="https://www.google.com/aclk?sa=l"><div role="heading">Ad</div></a></div>${zin(One)}
  <div class="Gx5Zad xpd"><div class="X7NTVe"><a class="tHmfQe" href="/search?q=red&amp;tbm=isch"><h3 class="zBAuLc">Images</h3></a></div></div>
  <div class="Gx5Zad xpd pkphOe"><div class="BNeawe">People also ask</div><a href="/url?q=${boxUrl}"><div class="BNeawe vvjwJb AP7Wnd">Red?</div></a></div>
  ${zin(Two)}${zin(Three)}`);

// 2018, feature phones: no headings at all.
const plain = (
  url: string,
) => `<div class="O9g5cc uUPGi ZINbbc xpd"><div class="jfp3ef"><a href="/url?q=${encodeURIComponent(url)}&amp;sa=U">
  <div class="BNeawe vvjwJb AP7Wnd">Shoes</div><div class="BNeawe UPmit AP7Wnd">shop › red</div></a></div></div>`;

const featurePhone = page(
  `<div class="ZINbbc xpd"><a class="unhOmf" href="/search?q=shoe&amp;stick=H"><div class="BNeawe deIvCb AP7Wnd">Shoe</div></a></div>${plain(One)}${plain(Two)}${plain(Three)}`,
);

// 2015, basic pages (gbv=1): end tags left out, tables for layout.
const basic2015 =
  page(`<table id="mn"><tr><td id="center_col"><div id="res"><div id="search"><div id="ires"><ol>
  ${organicResults.map((url) => `<li class="g"><h3 class="r"><a href="/url?q=${encodeURIComponent(url)}&amp;sa=U&amp;ei=x"><b>red</b> shoes</a></h3><div class="s">Red.<br><span class="st">Red</span></div>`).join('\n')}
  <li class="g"><div class="_Icb"><a href="/search?q=red&amp;tbm=isch">Images</a></div></ol></div></div></div></td></tr></table>`);

export const layouts: LayoutPage[] = [
  { title: 'desktop 2015: ads, local pack, sitelinks, images, a thumbnail', html: desktop2015 },
  {
    title: 'desktop 2017: a snippet of a listed page, posts, questions, news',
    html: desktop2017,
    featuredSnippetUrl: Two,
  },
  { title: 'desktop 2019: images, a carousel of videos, ads below', html: desktop2019 },
  { title: 'desktop 2022: an indented result, blocks of videos, sitelinks', html: desktop2022 },
  {
    title: 'desktop 2025: the list inside a panel, a snippet not listed again',
    html: desktop2025,
    featuredSnippetUrl: One,
  },
  { title: 'desktop 2026: a video, searches for advertisers, links with hidden URLs', html: desktop2026 },
  { title: 'mobile 2017: a panel, an AMP link', html: mobile2017 },
  { title: 'mobile 2020: finds, stories, places', html: mobile2020 },
  { title: 'mobile 2023: ads, videos, stories, grouped results', html: mobile2023 },
  { title: 'without script, 2019 to 2024: questions, images', html: noScript },
  { title: 'feature phones 2018', html: featurePhone },
  { title: 'basic page 2015, end tags left out', html: basic2015 },
];

/** Returns a page without results, as on desktop and mobile since 2015, with Google's sentence in any language. */
export function nothingMatchesPage(sentence: [before: string, after: string], lang: string): string {
  return page(
    `<div id="topstuff"><div class="mnr-c"><div class="card-section"><p role="heading" aria-level="3">${sentence[0]}
    <span><em>qwxzy 000</em></span>${sentence[1]}</p><p style="margin-top:1em">…</p><ul><li>…</li><li>…</li></ul></div></div></div>
    <div id="search"></div><div id="bres"></div>`,
    lang,
  );
}

/** A page with a notice, a list and a query in its search box. */
export function pageWith(notice: string, list: string, query?: string): string {
  return page(`<div id="taw">${notice}</div><div id="search"><div id="rso">${list}</div></div>`, 'en', query);
}

/** A list of one result, as of 2022. */
export const resultList = `<div class="g">${yu(One)}</div>`;
