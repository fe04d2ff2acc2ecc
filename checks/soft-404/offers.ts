/**
 * Phrases of one language about an offer that is over, such as an advertisement, a job or a product. An offer's page
 * keeps its title and status. Phrases about several offers are ignored, because a page with many offers is an archive.
 */
type OfferWording = {
  /** Same codes as in `Wording`. The `gone` phrases of this language in `phrases.ts` also apply to offers. */
  language: string;
  /** Names of offers, in the singular. */
  offers: string;
  /** Phrases that are used only for offers, such as "filled", "withdrawn" and "no longer made". Excludes "sold out". */
  gone: string;
  /** Names of offers in the plural. They say nothing about a single offer. */
  many: string;
};

/** Phrases of all languages, separated by commas. `*` is any ending. */
export const offerWordings: readonly OfferWording[] = [
  {
    language: 'en',
    offers: `this ad, the ad, ad has, this advert*, the advert*, this listing, the listing, listing has, this job, the job, job has, job is, job offer, job advert*, this vacancy,
      the vacancy, vacancy has, this position, the position, position has, this role, this posting, the posting, job posting, this offer, this property,
      this product, the product, product has, product is, this item, the item, item has, this vehicle, this auction, this deal, job expired, job closed, job filled, position filled, position closed, vacancy closed, vacancy filled, listing expired, listing ended, listing removed, ad expired, ad removed, product discontinued, item discontinued, offer expired, auction ended, discontinued product, discontinued item`,
    gone: `been filled, is filled, been closed, is closed, now closed, no longer accepting, not accepting applications,
      been discontinued, is discontinued, no longer sold, no longer for sale, no longer made, no longer produced, no longer in production,
      no longer stocked, no longer open, no longer on the market, been sold, been let, already been sold, been taken off,
      applications have closed, no longer advertised, no longer exist*, job expired, job closed, job filled, position filled, position closed, vacancy closed, vacancy filled, listing expired, listing ended, listing removed, ad expired, ad removed, product discontinued, item discontinued, offer expired, auction ended, discontinued product, discontinued item`,
    many: 'ads, adverts, listings, jobs, vacancies, positions, offers, deals, products, items, auctions, properties, vehicles',
  },
  {
    language: 'de',
    offers: `anzeige, inserat, stelle, stellenanzeige, stellenangebot, jobangebot, job, position, artikel, produkt, angebot,
      objekt, immobilie, wohnung, fahrzeug, ausschreibung, auktion`,
    gone: `besetzt, vergeben, vermietet, verkauft, nicht mehr hergestellt, nicht mehr produziert, nicht mehr verkauft,
      nicht mehr angeboten, nicht mehr im programm, nicht mehr ausgeschrieben, nicht mehr online, ausgelaufen, nicht mehr vorhanden, existiert nicht mehr, gibt es nicht mehr, wurde eingestellt, produktion eingestellt,
      nicht mehr im sortiment, nicht mehr geführt, auslaufmodell`,
    many: 'anzeigen, inserate, stellen, stellenanzeigen, angebote, produkte, objekte, auktionen',
  },
  {
    language: 'fr',
    offers: `annonce, offre, offre d'emploi, poste, produit, article, bien, logement, véhicule, enchère`,
    gone: `été pourvu*, est pourvu*, plus commercialisé*, plus fabriqué*, plus vendu*, plus proposé*, plus en ligne,
      plus à la vente, été retiré*, est clos*, est terminée, est close, a été vendu*, a été loué*, plus au catalogue, clôturé*, n'existe plus`,
    many: `annonces, offres, postes, produits, articles, biens, véhicules, enchères, promotions`,
  },
  {
    language: 'es',
    offers: `anuncio, oferta, oferta de empleo, vacante, puesto, empleo, producto, artículo, inmueble, vehículo, subasta`,
    gone: `ya no está activ*, ya no está en venta, ya no se vende, ya no se fabrica, descatalogad*, descontinuad*, sido cubiert*,
      está cerrad*, ha cerrado, está cubiert*, sido cerrad*, ha sido vendid*, sido alquilad*, ya no está publicad*, dejado de fabricar*, ya no existe`,
    many: `anuncios, ofertas, vacantes, puestos, empleos, productos, artículos, inmuebles, vehículos, subastas, promociones`,
  },
  {
    language: 'it',
    offers: `annuncio, offerta, offerta di lavoro, posizione, prodotto, articolo, immobile, veicolo, asta`,
    gone: `fuori produzione, fuori catalogo, non è più in vendita, non è più attiv*, è stata chiusa, è stato venduto,
      è stata coperta, è chiusa, è stato ritirato, non è più in produzione, è stato affittato, non è più online, non esiste più`,
    many: `annunci, offerte, posizioni, prodotti, articoli, immobili, veicoli, aste, promozioni`,
  },
  {
    language: 'pt',
    offers: `anúncio, oferta, vaga, vaga de emprego, oferta de emprego, produto, artigo, imóvel, veículo, leilão`,
    gone: `foi encerrad*, está encerrad*, foi preenchid*, descontinuad*, foi vendid*, já não está à venda, fora de linha,
      não está mais à venda, já não se vende, já não é fabricad*, saiu de linha, não é mais fabricad*, já não existe, não existe mais, já não está activ*, não está mais ativ*`,
    many: `anúncios, ofertas, vagas, produtos, artigos, imóveis, veículos, leilões, promoções`,
  },
  {
    language: 'nl',
    offers: `advertentie, vacature, product, artikel, aanbieding, woning, voertuig, veiling`,
    gone: `vervuld, is gesloten, uit het assortiment, uit productie, niet meer leverbaar, wordt niet meer verkocht, wordt niet meer gemaakt, wordt niet meer geproduceerd, bestaat niet meer, is verkocht, is verhuurd,
      niet meer te koop, niet meer actueel, niet meer verkrijgbaar, is ingevuld, is stopgezet`,
    many: `advertenties, vacatures, functies, producten, artikelen, aanbiedingen, woningen, veilingen`,
  },
  {
    language: 'sv',
    offers: `annonsen, annons, tjänsten, jobbet, jobbannonsen, produkten, varan, artikeln, erbjudandet, bostaden, objektet, auktionen`,
    gone: `är tillsatt, har tillsatts, utgått ur sortimentet, utgått, har utgått, säljs inte längre, tillverkas inte längre, är såld,
      är avslutad, är stängd, är uthyrd, inte längre till salu, finns inte längre, finns inte kvar, finns ej kvar`,
    many: 'annonser, tjänster, jobb, produkter, varor, erbjudanden, objekt, auktioner',
  },
  {
    language: 'da',
    offers: `annoncen, annonce, stillingen, jobbet, jobopslaget, produktet, varen, tilbuddet, boligen, auktionen, artiklen`,
    gone: `er besat, er lukket, er udgået, udgået, sælges ikke længere, produceres ikke længere, er solgt, er udlejet, er afsluttet, findes ikke længere, findes ikke mere`,
    many: 'annoncer, stillinger, produkter, varer, tilbud, boliger, auktioner',
  },
  {
    language: 'no',
    offers: `annonsen, annonse, stillingen, jobben, produktet, varen, tilbudet, boligen, auksjonen, artikkelen`,
    gone: `er besatt, er utgått, utgått, er lukket, selges ikke lenger, produseres ikke lenger, er solgt, er utleid, er avsluttet,
      ikke lenger aktiv, finnes ikke lenger`,
    many: 'annonser, stillinger, produkter, varer, tilbud, boliger, auksjoner',
  },
  {
    language: 'fi',
    offers: `ilmoitus, työpaikka, työpaikkailmoitus, tehtävä, tuote, kohde, tarjous, huutokauppa, asunto, artikkeli`,
    gone: `on täytetty, on jo täytetty, poistunut valikoimasta, ei ole enää voimassa, ei enää voimassa, ei valmisteta enää, on myyty,
      on vuokrattu, on sulkeutunut, hakuaika on päättynyt, ei enää myydä, ei ole enää myynnissä, poistunut, ei ole enää olemassa`,
    many: 'ilmoitukset, työpaikat, tuotteet, kohteet, tarjoukset',
  },
  {
    language: 'pl',
    offers: `ogłoszenie, oferta, oferta pracy, produkt, artykuł, towar, nieruchomość, aukcja, rekrutacja, stanowisko`,
    gone: `wygasł*, wycofan*, została zakończona, jest nieaktualn*, nie jest już aktualn*, zostało zakończone, została zamknięta,
      nie jest już produkowan*, nie jest już w sprzedaży, został sprzedany, zostało obsadzone, jest zakończon*, nie jest już w ofercie, już nie istnieje, nie jest już dostępn*`,
    many: `ogłoszenia, oferty, produkty, artykuły, towary, nieruchomości, aukcje, promocje`,
  },
  {
    language: 'cs',
    offers: `inzerát, nabídka, nabídka práce, pozice, pracovní pozice, pracovní místo, volné místo, výrobek, produkt, zboží,
      nemovitost, aukce, položka`,
    gone: `obsazen*, je již obsazena, vyřazen*, se již neprodává, se již nevyrábí, již není v nabídce, byl prodán, je uzavřen*,
      již není aktuální, není aktuální, ukončen*, výroba ukončena, již neexistuje, již není dostupn*, doprodán*`,
    many: `inzeráty, nabídky, výrobky, produkty, nemovitosti`,
  },
  {
    language: 'hu',
    offers: `hirdetés, hirdetést, állás, állást, álláshirdetés, termék, terméket, ajánlat, ingatlan, aukció, pozíció, pozíciót`,
    gone: `betöltött*, kifutott, már nem kapható, már nem aktív, már nem elérhető, már nem gyártják, lezárult, lejárt, eladva, elkelt,
      megszűnt, már nem létezik, már nem forgalmazzuk, nem forgalmaz*, betöltésre került`,
    many: 'hirdetések, állások, termékek, ajánlatok, ingatlanok, akciók',
  },
  {
    language: 'ro',
    offers: `anunț, anunțul, ofertă, oferta, loc de muncă, post, postul, produs, produsul, articol, imobil, licitație`,
    gone: `retras*, nu mai este activ*, nu mai este disponibil*, nu se mai fabrică, nu se mai vinde, a fost ocupat*, a fost vândut*, a expirat,
      a fost închis*, scos din vânzare, nu mai este valabil*, nu mai există`,
    many: `anunțuri, anunțurile, oferte, ofertele, locuri, posturi, produse, articole, imobile, licitații`,
  },
  {
    language: 'ru',
    offers: `объявление, вакансия, товар, изделие, предложение, лот, аукцион, квартира`,
    gone: `снят* с публикации, снят* с продажи, снят* с производства, в архиве, закрыт*, больше не продается, больше не производится,
      продан*, неактуальн*, не актуальн*, больше не существует, истек, уже закрыт*, больше не актуальн*, заархивирован*, перенесен* в архив`,
    many: 'объявления, вакансии, товары, предложения, объекты, лоты, аукционы, акции',
  },
  {
    language: 'uk',
    offers: `оголошення, вакансія, вакансію, товар, виріб, пропозиція, пропозицію, лот, аукціон, квартира`,
    gone: `знят* з публікації, знят* з продажу, знят* з виробництва, закрит*, більше не актуальн*, в архіві, більше не продається,
      більше не виробляється, продан*, неактуальн*, вже закрит*, архівован*, більше не існує`,
    many: 'вакансії, товари, пропозиції, лоти, аукціони, акції',
  },
  {
    language: 'el',
    offers: `αγγελία, θέση, θέση εργασίας, προϊόν, προσφορά, ακίνητο, δημοπρασία, είδος, αντικείμενο`,
    gone: `έχει καλυφθεί, καλύφθηκε, έχει καταργηθεί, καταργήθηκε, έχει αποσυρθεί, αποσύρθηκε, έχει κλείσει, έκλεισε, έχει πουληθεί, πουλήθηκε,
      δεν παράγεται πλέον, δεν διατίθεται πλέον, δεν πωλείται πλέον, δεν είναι πλέον διαθέσιμ*, δεν είναι πλέον ενεργ*, δεν υπάρχει πλέον`,
    many: 'αγγελίες, θέσεις, προϊόντα, προσφορές, ακίνητα, δημοπρασίες, είδη',
  },
  {
    language: 'tr',
    offers: `ilan, ilanı, ilanın, iş ilanı, iş ilanının, ürün, ürünün, pozisyon, teklif, emlak, açık artırma`,
    gone: `yayından kaldır*, süresi dol*, süresi bit*, artık sat*, üretimden kaldır*, satıştan kaldır*, dolduruldu, doldurulmuş*, kapan*,
      artık üretil*, sona er*, artık yayında değil, artık mevcut değil`,
    many: 'ilanlar, ilanları, ürünler, kampanyalar, teklifler, pozisyonlar',
  },
  {
    language: 'ar',
    offers: `هذا الإعلان, الإعلان, هذه الوظيفة, الوظيفة, هذا المنتج, المنتج, هذا العرض, العرض, هذا العقار, العقار, المزاد`,
    gone: `انتهت صلاحية, انتهى, منتهي, تم إيقاف إنتاج, لم يعد متاح, لم تعد متاحة, لم يعد يباع, تم شغل, تم بيع, توقف إنتاج, أغلق, مغلق,
      تم إغلاق, تم سحب, لم يعد ينتج`,
    many: 'الإعلانات, الوظائف, المنتجات, العروض',
  },
  {
    language: 'he',
    offers: `המודעה, מודעה זו, המשרה, משרה זו, המוצר, מוצר זה, הדירה, הנכס, המכרז, ההצעה`,
    gone: `כבר לא פעיל, אוישה, הוסר, הוסרה, נמכר, נמכרה, נסגר, נסגרה, הושכר, כבר לא זמין, כבר לא רלוונטי, אינה רלוונטית, לא רלוונטי,
      הופסק ייצור, הופסקה מכירת, פגה`,
    many: 'מודעות, משרות, מוצרים, דירות, נכסים',
  },
  {
    language: 'ja',
    offers: `この広告, この求人, この商品, 当商品, この製品, 本商品, 本製品, この物件, 本求人, このオークション, この案件, この募集, こちらの商品, こちらの求人`,
    gone: `掲載は終了, 掲載が終了, 掲載を終了, 募集は終了, 募集を終了, 募集が終了, 販売を終了, 販売は終了, 販売が終了, 生産を終了, 生産終了, 廃番,
      取り扱いを終了, 成約済, 終了しました, 締め切りました, 廃盤`,
    many: '商品一覧, 求人一覧, 広告一覧',
  },
  {
    language: 'ko',
    offers:
      '이 매물, 이 채용, 채용 공고, 이 공고, 이 상품, 해당 상품, 해당 공고, 이 제품, 해당 제품, 해당 매물, 이 광고, 이 채용공고, 본 상품',
    gone: `종료되, 마감되, 판매가 종료, 판매 종료, 판매가 중단, 단종되, 단종된, 거래가 완료, 거래가 종료, 삭제되, 더 이상 판매, 만료되, 판매 중지, 판매중지`,
    many: '상품들, 공고들',
  },
  {
    language: 'zh-hans',
    offers:
      '该商品, 此商品, 该产品, 此产品, 该职位, 此职位, 该房源, 此房源, 该广告, 该信息, 该岗位, 本商品, 该宝贝, 此宝贝, 您查看的商品, 该拍卖',
    gone: '已下架, 停止招聘, 已停产, 已失效, 已结束招聘, 已关闭, 已过期, 已停售, 停止销售, 已成交, 已招满, 已下线, 不再销售, 已售出, 已删除, 已结束',
    many: '这些商品, 以下商品',
  },
  {
    language: 'zh-hant',
    offers: '該商品, 此商品, 該產品, 此產品, 該職缺, 此職缺, 該職位, 該物件, 此物件, 該廣告, 本商品',
    gone: '已下架, 停止招募, 已停產, 已失效, 已關閉, 已過期, 已停售, 停止銷售, 已成交, 已結束, 已售出',
    many: '這些商品, 以下商品',
  },
  {
    language: 'vi',
    offers:
      'tin đăng, tin tuyển dụng, việc làm này, công việc này, sản phẩm, bất động sản này, tin rao, vị trí này, mặt hàng',
    gone: `đã đóng, đã hết hạn, hết hạn, ngừng kinh doanh, ngừng sản xuất, ngừng bán, đã tuyển, ngừng tuyển, đã bị gỡ, không còn hiệu lực,
      không còn tồn tại, đã được bán, không còn kinh doanh`,
    many: 'các sản phẩm, các tin, những sản phẩm',
  },
  {
    language: 'th',
    offers: 'ประกาศนี้, สินค้านี้, งานนี้, ตำแหน่งนี้, ทรัพย์นี้',
    gone: 'หมดอายุ, ปิดรับสมัคร, เลิกจำหน่าย, เลิกผลิต, ถูกลบ, ปิดประกาศ, ขายแล้ว',
    many: 'สินค้าทั้งหมด',
  },
  {
    language: 'id',
    offers: 'iklan ini, lowongan ini, produk ini, barang ini, properti ini',
    gone: 'sudah ditutup, telah ditutup, tidak diproduksi lagi, tidak dijual lagi, sudah terjual, telah berakhir, sudah berakhir',
    many: 'semua iklan, semua produk',
  },
];
