import { expect } from 'chai';
import { wordings } from '../../../checks/soft-404/phrases.ts';
import { readSentences, type Sentence } from '../../../checks/soft-404/sentences.ts';
import { hardWords } from '../../support/hard-words.ts';
import { words } from '../../support/words.ts';

// For each language, two sentences from sites in that language: a page was not found, and a thing is gone.
const sayings: readonly (readonly [language: string, missing: string, gone: string])[] = [
  ['en', 'We can’t find the page you’re looking for', 'This product has been discontinued'],
  ['de', 'Die gewünschte Seite konnte leider nicht gefunden werden', 'Das Angebot ist nicht mehr verfügbar'],
  ['fr', "La page demandée n'a pas pu être trouvée", 'Cette annonce n’est plus disponible'],
  ['es', 'No hemos podido encontrar la página', 'El anuncio ha sido eliminado'],
  ['it', 'La pagina richiesta non esiste', "L'annuncio non è più disponibile"],
  ['pt', 'Não conseguimos encontrar a página', 'O anúncio foi removido'],
  ['nl', 'We kunnen deze pagina niet vinden', 'De vacature is verlopen'],
  ['sv', 'Vi kan tyvärr inte hitta sidan', 'Annonsen har tagits bort'],
  ['da', 'Vi kunne desværre ikke finde siden', 'Annoncen er blevet slettet'],
  ['no', 'Vi fant dessverre ikke siden', 'Annonsen er slettet'],
  ['fi', 'Etsimääsi sivua ei valitettavasti löytynyt', 'Ilmoitus on poistettu'],
  ['is', 'Síðan fannst ekki', 'Síðan hefur verið fjarlægð'],
  ['pl', 'Nie możemy odnaleźć tej strony', 'Ogłoszenie wygasło'],
  ['cs', 'Tuto stránku se nepodařilo najít', 'Inzerát byl smazán'],
  ['sk', 'Stránku sa nám nepodarilo nájsť', 'Inzerát bol odstránený'],
  ['hu', 'A keresett oldal nem létezik', 'A hirdetés lejárt'],
  ['ro', 'Pagina nu a putut fi găsită', 'Anunțul a fost șters'],
  ['bg', 'Страницата не може да бъде намерена', 'Обявата е изтрита'],
  ['mk', 'Страницата не постои', 'Огласот е избришан'],
  ['ru', 'Запрашиваемая страница не найдена', 'Объявление удалено'],
  ['uk', 'Такої сторінки не існує', 'Оголошення видалено'],
  ['be', 'Старонка не знойдзена', 'Старонка была выдалена'],
  ['sr', 'Страница није пронађена', 'Оглас је обрисан'],
  ['hr', 'Ne možemo pronaći tu stranicu', 'Oglas je uklonjen'],
  ['sl', 'Strani ni bilo mogoče najti', 'Oglas je bil odstranjen'],
  ['el', 'Η σελίδα δεν βρέθηκε', 'Η αγγελία έχει λήξει'],
  ['tr', 'Aradığınız sayfayı bulamadık', 'İlan yayından kaldırıldı'],
  ['ar', 'لم يتم العثور على الصفحة', 'تم حذف الإعلان'],
  ['he', 'הדף המבוקש לא נמצא', 'המודעה הוסרה'],
  ['fa', 'صفحهٔ مورد نظر یافت نشد', 'آگهی حذف شده است'],
  ['ur', 'یہ صفحہ موجود نہیں', 'یہ صفحہ ہٹا دیا گیا'],
  ['hi', 'यह पृष्ठ नहीं मिला', 'यह पेज हटा दिया गया है'],
  ['mr', 'हे पृष्ठ सापडले नाही', 'हे पृष्ठ डिलीट केले'],
  ['bn', 'পৃষ্ঠাটি খুঁজে পাওয়া যায়নি', 'পেজটি মুছে ফেলা হয়েছে'],
  ['ta', 'பக்கம் கிடைக்கவில்லை', 'பக்கம் நீக்கப்பட்டது'],
  ['th', 'ไม่พบหน้าที่คุณต้องการ', 'ประกาศนี้หมดอายุ'],
  ['vi', 'Không tìm thấy trang bạn yêu cầu', 'Tin đăng đã hết hạn'],
  ['id', 'Halaman yang Anda cari tidak ditemukan', 'Iklan ini sudah dihapus'],
  ['ms', 'Halaman tidak dijumpai', 'Iklan telah dipadamkan'],
  ['tl', 'Hindi mahanap ang pahina', 'Tinanggal ang pahina'],
  ['sw', 'Ukurasa haukupatikana', 'Ukurasa umefutwa'],
  ['ja', 'お探しのページは見つかりませんでした', 'このページは削除されました'],
  ['ko', '페이지를 찾을 수 없습니다', '게시글이 삭제되었습니다'],
  ['zh-Hans', '您访问的页面不存在', '该商品已下架'],
  ['zh-Hant', '找不到您要的網頁', '該頁面已移除'],
  ['et', 'Lehte ei leitud', 'Kuulutus on eemaldatud'],
  ['lv', 'Lapa nav atrasta', 'Sludinājums ir dzēsts'],
  ['lt', 'Puslapis nerastas', 'Skelbimas pašalintas'],
  ['ca', "No s'ha trobat la pàgina", "L'anunci ha caducat"],
  ['eu', 'Ez da orria aurkitu', 'Orria ezabatu da'],
  ['gl', 'Páxina non atopada', 'O anuncio foi eliminado'],
  ['cy', 'Tudalen heb ei chanfod', 'Mae’r dudalen wedi symud'],
  ['sq', 'Faqja nuk u gjet', 'Faqja është fshirë'],
  ['af', 'Bladsy nie gevind nie', 'Die bladsy is verwyder'],
  ['az', 'Səhifə tapılmadı', 'Səhifə silinib'],
  ['ka', 'გვერდი ვერ მოიძებნა', 'გვერდი წაშლილია'],
  ['ku', 'Rûpel nehat dîtin', 'Rûpel hatiye jêbirin'],
  ['km', 'រកមិនឃើញទំព័រ', 'ទំព័រត្រូវបានលុប'],
];

describe('readSentences', () => {
  for (const [language, missing, gone] of sayings) {
    it(`understands ${language}`, () => {
      expect(first(missing), missing).to.include({ isMissing: true });
      expect(first(gone), gone).to.include({ isGone: true });
    });
  }

  it('is tested with every language that it has words of', () => {
    const asked = new Set(sayings.map(([language]) => language.toLowerCase()));
    for (const { language } of wordings) {
      expect(
        language.split(' ').some((one) => asked.has(one)),
        language,
      ).to.equal(true);
    }
  });

  for (const { language, listing, job, product, outOfStock, alternatives } of hardWords) {
    it(`distinguishes in ${language} a withdrawn offer from one that is sold out`, () => {
      for (const [, gone] of [listing, job, product])
        expect(first(gone), gone).to.include({ isOfferGone: true });
      for (const text of [outOfStock, alternatives]) {
        expect(
          readSentences(text).some((it) => it.isOfferGone || it.isGone || it.isMissing),
          text,
        ).to.equal(false);
      }
    });
  }

  it('ignores accents, vowel points, half-spaces and one kind of apostrophe', () => {
    for (const text of [
      'Pagina no encontrada',
      'Stranka nenalezena',
      'Sayfa bulunamadi',
      'Nie znaleziono strony',
    ]) {
      expect(first(text), text).to.include({ isMissing: true });
    }
    expect(first('صفحه پيدا نشد')).to.include({ isMissing: true });
    expect(first('صفحه پیدا نمی‌شود')).to.include({ isMissing: true });
    expect(first('Cette page n’existe pas')).to.include({ isMissing: true });
    expect(first('ＰＡＧＥ ＮＯＴ ＦＯＵＮＤ')).to.include({ isMissing: true });
  });

  it('finds Latin words among letters of scripts without spaces', () => {
    expect(first('요청한 URL을 이 서버에서 찾을 수 없습니다')).to.include({ isMissing: true });
    expect(first('指定されたURLは存在しません')).to.include({ isMissing: true });
  });

  it('needs thing and denial in one sentence', () => {
    expect(readSentences('Here is a page. Not found.').some((it) => it.isMissing)).to.equal(false);
    expect(first('Not found')).to.include({ isMissing: false, isBare: true, otherWords: 0 });
  });

  it('finds words, not parts of words', () => {
    expect(first('The pages of the foundation do not expire')).to.include({
      isMissing: false,
      isGone: false,
    });
    expect(first('Nothing was found')).to.include({ isMissing: false, isBare: false });
  });

  it('ignores conditions', () => {
    for (const text of [
      'If the page cannot be found, call us',
      'Wenn eine Seite nicht gefunden wird',
      'Si la page est introuvable',
      'Если страница не найдена',
      'ページが見つからない場合',
      '如果页面不存在',
    ]) {
      expect(first(text), text).to.include({ isMissing: false, isBare: false });
    }
  });

  it('distinguishes searches and explanations from statements', () => {
    expect(first('No results found for your search')).to.include({ isSearch: true });
    expect(first('По вашему запросу ничего не найдено')).to.include({ isSearch: true });
    expect(first('What is a 404 error')).to.include({ isQuestion: true, has404: true });
    expect(first('ErrorDocument 404 goes into .htaccess').subjects).to.have.length(2);
  });

  it('distinguishes the number from other numbers', () => {
    for (const text of [
      'Error 404',
      '404: gone',
      'HTTP 404.0',
      '4 0 4',
      ...words('404 404. 4😢4 (404) ４０４'),
    ])
      expect(first(text).has404, text).to.equal(true);
    for (const text of words('1404 4045 404-555 $404 404% 404.5 404km2 1,404'))
      expect(first(text).has404, text).to.equal(false);
  });

  it('counts the words beside the statement', () => {
    expect(first('Oops! Page not found').otherWords).to.equal(0);
    expect(readSentences('Sorry, that page does not exist any more')[0]?.otherWords).to.equal(3);
    expect(first('Tin Harbour – Page Not Found Lyrics').otherWords).to.equal(3);
  });

  it('searches at most 20,000 characters', () => {
    expect(readSentences(`${'a. '.repeat(10_000)}Page not found`).some((it) => it.isMissing)).to.equal(false);
  });
});

function first(text: string): Sentence {
  const [sentence] = readSentences(text);
  expect(sentence, text).to.not.equal(undefined);
  return sentence as Sentence;
}
