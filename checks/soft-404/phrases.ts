/**
 * Phrases of one language about a missing page. Names of the page (`things`) and denials (`missing`, `gone`) are found
 * separately. A sentence must contain both, in any order. In this way, a few dozen words cover thousands of sentences.
 * `*` is any ending. `…` is up to thirty characters.
 */
export type Wording = {
  /** ISO 639-1 code, or several codes if the languages share the words. */
  language: string;
  /** Names of things that have a URL, such as "page" or "product". */
  things: readonly string[];
  /** Not found, or does not exist. */
  missing: readonly string[];
  /** Removed, moved, expired or no longer available. */
  gone: readonly string[];
  /** Unavailable, perhaps only for a time. Shops use these phrases for products that are sold out. */
  unavailable: readonly string[];
  /**
   * Phrases without a thing, such as "nothing here" and "you are lost". Songs contain them too, so these phrases are
   * weak.
   */
  hints: readonly string[];
  /** Words for a condition, such as "if". Documentation describes what happens if a page is not found. */
  ifs: readonly string[];
  /** True if a phrase may begin and end inside a word. In some languages, words are joined or have affixes. */
  isGlued?: boolean;
};

/**
 * Phrases of all languages. Every page is searched for the phrases of all languages, because a page often declares a
 * wrong language.
 */
export const wordings: readonly Wording[] = [
  {
    language: 'en',
    things:
      splitPhrases(`page*, webpage*, urls, link, links, address, site, website, content, document*, file, article*, post,
      story, resource*, item, product*, listing*, ad, advert*, job, position, vacancy, property, profile, user,
      member, topic, thread, discussion, event, video, photo, image, recipe, account, community, shop, store,
      blog, channel, cannot get /*, type=not found, location, destination, path, entry, record, route,
      repository, project, question, category, collection, offer, deal, auction, vehicle, object,
      what you're looking for, what you are looking for, what you were looking for, what you requested,
      thing you're looking for, thing you are looking for, the page you`),
    missing:
      splitPhrases(`not found, notfound, not_found, cannot get /*, type=not found, could not be found, couldn't be found,
      cannot be found, can not be found, can't be found, could not find, couldn't find, cannot find,
      can not find, can't find, can't seem to find, couldn't seem to find, did not find, didn't find,
      unable to find, unable to locate, could not locate, couldn't locate, cannot locate, can't locate,
      cannot be located, could not be located, does not exist, doesn't exist, doesnt exist, do not exist,
      don't exist, did not exist, no longer exist*, not exist, never existed, doesn't … exist, does not … exist,
      might not exist, may not exist, isn't here, is not here, isn't there, is missing, are missing,
      page missing, missing page, file missing, went missing, gone missing, is lost, got lost, lost this page,
      lost that page, not the page you, no such, nonexistent, non-existent, has vanished, has disappeared,
      disappeared, is invalid, misplaced, not been found, not … found, not … find, nowhere to be found, no page,
      is gone, are gone`),
    gone: splitPhrases(`no longer available, no longer be available, no longer active, no longer listed, no longer online,
      no longer here, no longer valid, no longer accessible, been removed, was removed, were removed,
      is removed, been deleted, was deleted, been taken down, taken down, been discontinued, was discontinued,
      is discontinued, discontinued, has expired, is expired, expired, has ended, been filled, been withdrawn,
      been moved, was moved, has moved, have moved, moved or, been renamed, was renamed, name changed,
      been archived, been unpublished, been suspended, been closed, off the market, isn't active, is not active,
      longer exists, isn't available anymore, not available anymore`),
    unavailable: splitPhrases(
      "not available, isn't available, is unavailable, unavailable, wasn't available",
    ),
    hints:
      splitPhrases(`nothing here, nothing to see here, there's nothing here, there is nothing here, nothing was found here,
      nothing was found at this, nothing found here, you're lost, you are lost, you seem lost, seem to be lost,
      got lost, you lost, are you lost, look lost, looks lost, little lost, bit lost, lost your way, lost in,
      wrong turn, dead end, dead link, broken link, off the map, wrong place, wrong page, wrong address,
      wrong url, invalid url, invalid link, bad url, looking for something`),
    ifs: splitPhrases('if, when, whenever, whether, unless, in case, how to, why'),
  },
  {
    language: 'de',
    things:
      splitPhrases(`seite, seiten, webseite*, unterseite*, internetseite*, website, inhalt*, artikel*, beitrag*, dokument*,
      datei*, adresse*, webadresse*, internetadresse*, link, links, ressource*, produkt*, angebot*, anzeige*,
      inserat*, stelle, stellenanzeige*, stellenangebot*, job, jobangebot*, objekt*, immobilie*, profil,
      nutzer*, benutzer*, mitglied, thema, veranstaltung*, video, rezept*, eintrag*, verzeichnis, pfad,
      was sie suchen, was du suchst, wonach sie suchen, wonach du suchst, das gesuchte, meldung, nachricht`),
    missing:
      splitPhrases(`nicht gefunden, nicht … gefunden, nicht finden, nicht … finden, nicht auffindbar, nicht zu finden,
      nicht auffinden, existiert nicht, existiert … nicht, nicht existiert, nicht … existiert, nicht existent,
      nicht vorhanden, nicht mehr vorhanden, gibt es nicht, gibt es … nicht, gibt's nicht, gibt's … nicht,
      nicht gibt, nicht mehr gibt, finden … nicht, findet … nicht, fanden … nicht, nicht da, nicht mehr da,
      fehlt, verschwunden, nicht ermittelt, nicht existierend*, unauffindbar, konnten wir nicht`),
    gone: splitPhrases(`nicht mehr verfügbar, nicht mehr online, nicht mehr aktuell, nicht mehr erhältlich, nicht mehr aktiv,
      nicht mehr lieferbar, nicht mehr im sortiment, nicht mehr erreichbar, gelöscht, entfernt, verschoben,
      umgezogen, umbenannt, abgelaufen, beendet, deaktiviert, bereits vergeben, nicht länger,
      nicht mehr … verfügbar`),
    unavailable: splitPhrases(
      `nicht … verfügbar, nicht erreichbar, nicht abrufbar, nicht aufgerufen, nicht angezeigt, nicht geladen`,
    ),
    hints:
      splitPhrases(`hier gibt es nichts, hier ist nichts, nichts zu sehen, verlaufen, verirrt, falsch abgebogen, sackgasse,
      ins leere, toter link, defekter link, fehlerhafter link, falsche adresse, auf dem holzweg,
      verloren gegangen`),
    ifs: splitPhrases('wenn, falls, sofern, sollte, ob'),
  },
  {
    language: 'fr',
    things:
      splitPhrases(`page*, lien*, adresse*, contenu*, article*, document*, fichier*, ressource*, site, annonce*, offre*,
      produit*, fiche*, profil*, utilisateur*, membre*, sujet*, discussion*, événement*, vidéo*, recette*,
      poste, bien, logement*, rubrique*, chemin, référence*, billet, publication*, élément*,
      ce que vous cherchez, objet, ce que vous cherchiez, ce que vous recherchez, ce que tu cherches, actualité*`),
    missing:
      splitPhrases(`non trouvé*, introuvable*, pas trouvé*, pas … trouvé*, n'existe pas, n'existe plus, n'existe*,
      n'existent*, pas exister, plus exister, pas … exister, inexistant*, pas trouver, pas … trouver,
      plus … trouver, impossible de trouver, impossible à trouver, ne trouve* pas, ne trouvons … pas,
      ne peut … trouvé*, ne peut … trouver, ne peut être trouvé*, n'est pas là, n'est plus là, n'est pas ici,
      s'est perdu*, a disparu, perdue, inconnue, n'a pu être trouvé*, aucune page, non existant*`),
    gone: splitPhrases(`plus disponible*, été supprimé*, été retiré*, été déplacé*, été effacé*, été enlevé*, été renommé*,
      été archivé*, supprimé*, déplacé*, a expiré, est expiré, expirée*, plus en ligne, plus en vente,
      plus activ*, plus d'actualité, plus commercialisé*, plus accessible*, a été pourvu*, a changé d'adresse,
      changé de nom, plus … disponible*`),
    unavailable: splitPhrases(
      `pas disponible*, n'est … disponible*, non disponible*, indisponible*, pas accessible*, inaccessible*`,
    ),
    hints:
      splitPhrases(`rien ici, il n'y a rien ici, rien à voir ici, êtes perdu*, es perdu*, êtes-vous perdu*,
      vous vous êtes perdu*, vous êtes égaré*, fausse route, cul-de-sac, lien brisé, lien mort, lien cassé,
      mauvaise adresse, mauvais chemin`),
    ifs: splitPhrases('si, lorsque, quand, lorsqu*, comment, pourquoi'),
  },
  {
    language: 'es',
    things:
      splitPhrases(`página*, enlace*, vínculo*, dirección, contenido*, artículo*, documento*, archivo*, fichero*, recurso*,
      sitio, producto*, anuncio*, oferta*, publicación, perfil, usuario*, tema, evento*, vídeo*, receta*,
      inmueble*, propiedad, entrada, noticia*, ficha, empleo, vacante, elemento, ruta, lo que busca*,
      lo que buscaba*, web, lo que estás buscando, lo que está buscando, lo que estabas buscando,
      lo que estaba buscando, objeto, referencia`),
    missing:
      splitPhrases(`no encontrad*, no se encontr*, no se encuentra*, no se ha … encontr*, no se pudo … encontrar,
      no se puede … encontrar, no pudo ser encontrad*, no … encontrad*, no … encontrar, no existe*, no existía,
      no … existe*, no … existir, inexistente*, no encontramos, no hallad*, no se hall*, no … hallar,
      no está aquí, no localizad*, no … localizad*, no … localizar, perdida, ha desaparecido, desapareció,
      no hay ninguna página, dejó de existir`),
    gone: splitPhrases(`sido eliminad*, fue eliminad*, eliminad*, sido borrad*, borrad*, sido movid*, sido retirad*, retirad*,
      caducad*, movid*, ha expirado, expirad*, expiró, ya no está, descatalogad*, ha finalizado, finalizad*,
      ha caducado, ha cambiado de, cambiado de nombre, trasladad*, ya no … disponible*`),
    unavailable:
      splitPhrases(`no está disponible*, no está … disponible*, no disponible*, no se encuentra disponible*, no … disponible*,
      no accesible, indisponible`),
    hints:
      splitPhrases(`no hay nada aquí, aquí no hay nada, nada por aquí, te has perdido, te perdiste, se ha perdido,
      estás perdid*, callejón sin salida, enlace roto, dirección incorrecta, camino equivocado, página perdida`),
    ifs: splitPhrases('si, cuando, en caso de, cómo, por qué'),
  },
  {
    language: 'it',
    things:
      splitPhrases(`pagina, pagine, link, collegamento, indirizzo, contenuto, contenuti, articolo, documento, file, risorsa,
      sito, prodotto, annuncio, offerta, profilo, utente, discussione, argomento, evento, video, ricetta,
      immobile, elemento, percorso, scheda, notizia, voce, quello che cerchi, quello che stai cercando,
      ciò che cerchi, ciò che stai cercando, quello che cercavi, ciò che stavi cercando, oggetto`),
    missing:
      splitPhrases(`non trovat*, non … trovat*, non … trovare, non troviamo, non esist*, non … esist*, inesistent*,
      introvabil*, impossibile trovare, pagina non c'è, pagina … non c'è, non reperibil*, irreperibil*,
      non presente, smarrit*, scompars*, non è qui`),
    gone: splitPhrases(`stata rimossa, stato rimosso, stata eliminata, stato eliminato, stata cancellata, stato cancellato,
      stata spostata, stato spostato, rimoss*, eliminat*, spostat*, cancellat*, scadut*, non è più,
      non più attiv*, non … attiv*, rinominat*, terminat*, fuori produzione, archiviat*, non … più disponibil*,
      non più disponibil*`),
    unavailable: splitPhrases(
      `non … disponibil*, non disponibil*, indisponibil*, non … raggiungibil*, non … accessibil*`,
    ),
    hints:
      splitPhrases(`non c'è niente qui, non c'è nulla qui, qui non c'è, niente da vedere, ti sei pers*, vi siete pers*,
      si è perso, vicolo cieco, link rotto, strada sbagliata, indirizzo errato, indirizzo sbagliato`),
    ifs: splitPhrases('se, quando, qualora, come, perché'),
  },
  {
    language: 'pt',
    things:
      splitPhrases(`página*, link*, ligação, endereço*, conteúdo*, artigo*, documento*, arquivo*, ficheiro*, recurso*, site,
      produto*, anúncio*, oferta*, publicação, post, perfil, usuário*, utilizador*, tópico*, evento*, vídeo*,
      receita*, imóvel, vaga, notícia*, matéria, item, elemento, caminho, o que procura*, o que você procura*,
      objeto, o que está procurando, o que você está procurando, o que está a procurar`),
    missing:
      splitPhrases(`não encontrad*, não … encontrad*, não … encontrar, não encontr*, não exist*, não … exist*, inexistente*,
      não localizad*, não … localizad*, não … localizar, não achamos, não … achar, não está aqui,
      deixou de existir, sumiu, desapareceu, perdida, não há nenhuma página`),
    gone: splitPhrases(`foi removid*, foi excluíd*, foi apagad*, foi movid*, foi eliminad*, foi retirad*, sido removid*,
      sido movid*, sido excluíd*, sido apagad*, sido eliminad*, removid*, expirou, expirad*, encerrad*,
      descontinuad*, não está mais, movid*, excluíd*, mudou de endereço, mudado de nome, foi alterad*,
      não … mais disponível, já não … disponível`),
    unavailable: splitPhrases(
      'não … disponível, não disponível, indisponível, fora do ar, não está acessível',
    ),
    hints:
      splitPhrases(`não há nada aqui, nada por aqui, nada aqui, nada para ver aqui, está perdid*, se perdeu, beco sem saída,
      link quebrado, caminho errado, endereço errado, endereço incorreto`),
    ifs: splitPhrases('se, quando, caso, como, por que'),
  },
  {
    language: 'nl',
    things:
      splitPhrases(`pagina*, webpagina*, link*, adres*, webadres, inhoud, artikel*, document*, bestand*, bron, site, website,
      product*, advertentie*, aanbieding*, vacature*, profiel, gebruiker, onderwerp, topic, evenement, video*,
      recept*, woning, item, bericht*, wat je zoekt, wat u zoekt, waar je naar zoekt, waar u naar zoekt,
      waarnaar u zoekt, waar je naar op zoek, waar u naar op zoek`),
    missing:
      splitPhrases(`niet gevonden, niet … gevonden, niet vinden, niet … vinden, bestaat niet, bestaat … niet, niet bestaat,
      niet … bestaat, niet te vinden, onvindbaar, niet aanwezig, vinden … niet, vonden … niet, bestaan niet,
      ontbreekt, verdwenen, kwijt, is er niet`),
    gone: splitPhrases(`is verwijderd, is verplaatst, werd verwijderd, verwijderd, verplaatst, verlopen, niet meer actief,
      niet meer online, uit het assortiment, vervallen, niet langer, verhuisd, hernoemd, niet meer beschikbaar,
      niet meer … beschikbaar`),
    unavailable: splitPhrases('niet … beschikbaar, niet beschikbaar, niet bereikbaar, niet toegankelijk'),
    hints:
      splitPhrases(`verdwaald, hier is niets, niets te zien, doodlopende weg, verkeerde afslag, verkeerd afgeslagen,
      gebroken link, dode link, de weg kwijt, verkeerd adres`),
    ifs: splitPhrases('als, indien, wanneer, mocht, hoe'),
  },
  {
    language: 'sv',
    things:
      splitPhrases(`sida*, sidan*, webbsida*, länk*, adress*, innehåll*, artikel*, dokument*, fil, filen, resurs*, produkt*,
      annons*, profil*, användare*, ämne*, tråd*, evenemang*, video*, recept*, jobb*, tjänst*, objekt*, inlägg*,
      det du söker, det du letar efter, du letade efter, du söker, du letar efter`),
    missing:
      splitPhrases(`hittades inte, hittades … inte, inte hittas, inte … hittas, inte hitta*, inte … hitta*, hittar inte,
      hittar … inte, hittade … inte, hittas inte, finns inte, finns … inte, inte finns, inte … finns,
      inte finnas, existerar inte, existerar … inte, saknas, ej hittad, försvunn*, har försvunnit, fanns inte,
      ingen sida`),
    gone: splitPhrases(`inte … kvar, tagits bort, flyttats, flyttad, borttagen, raderats, utgått, utgången, avslutad*, upphört,
      har gått ut, inte längre, har bytt namn, inte längre … tillgänglig*`),
    unavailable: splitPhrases('inte … tillgänglig*, inte tillgänglig*'),
    hints:
      splitPhrases(`här finns inget, här finns ingenting, inget att se här, gått vilse, kommit vilse, vilse, återvändsgränd,
      bruten länk, trasig länk, fel adress, hamnat fel`),
    ifs: splitPhrases('om, när, ifall, hur'),
  },
  {
    language: 'da',
    things:
      splitPhrases(`side, siden, sider*, websiden, webside*, hjemmeside*, link*, adresse*, indhold*, artikel*, dokument*, fil,
      filen, ressource*, produkt*, vare, varen, annonce*, profil*, bruger*, emne*, tråd*, begivenhed*, video*,
      opskrift*, stilling*, job*, bolig*, det du leder efter, det du søger, du leder efter, du søgte`),
    missing:
      splitPhrases(`ikke fundet, ikke … fundet, ikke findes, ikke … findes, findes ikke, findes … ikke, ikke finde,
      ikke … finde, eksisterer ikke, eksisterer … ikke, ikke eksisterer, mangler, ikke at finde, fandt ikke,
      fandt … ikke, finder … ikke, forsvundet, blev væk`),
    gone: splitPhrases(`blevet fjernet, er fjernet, er slettet, blevet slettet, blevet flyttet, er flyttet, udgået*, udløbet*,
      ikke længere, nedlagt*, flyttet, slettet`),
    unavailable: splitPhrases('ikke … tilgængelig*, ikke tilgængelig*'),
    hints: splitPhrases(
      `her er ingenting, her er intet, faret vild, gået vild, blindgyde, dødt link, forkert adresse`,
    ),
    ifs: splitPhrases('hvis, når, såfremt, hvordan'),
  },
  {
    language: 'no',
    things:
      splitPhrases(`side, siden, sida, nettside*, nettstad*, lenke*, lenka, adresse*, innhold*, artikkel*, dokument*, fil,
      filen, ressurs*, produkt*, vare, varen, annonse*, profil*, bruker*, emne*, tråd*, arrangement*, video*,
      oppskrift*, stilling*, bolig*, det du leter etter, du leter etter, du ser etter, du lette etter`),
    missing:
      splitPhrases(`ikke funnet, ikke … funnet, ikke finne, ikke … finne, ikke finnes, ikke … finnes, finnes ikke,
      finnes … ikke, finner ikke, finner … ikke, fant ikke, fant … ikke, fantes ikke, eksisterer ikke,
      eksisterer … ikke, ikke eksisterer, ikkje funne*, ikkje … funne*, finst ikkje, fann ikkje, fann … ikkje,
      finn ikkje, ikkje finne, mangler, forsvunnet, borte`),
    gone: splitPhrases(`er fjernet, blitt fjernet, er slettet, blitt slettet, er flyttet, blitt flyttet, utgått*, utløpt*,
      ikke lenger, flyttet, slettet`),
    unavailable: splitPhrases('ikke … tilgjengelig*, ikke tilgjengelig*, ikkje tilgjengeleg*'),
    hints: splitPhrases(
      `her er det ingenting, her var det tomt, gått deg vill, gått seg bort, blindvei, død lenke, feil adresse`,
    ),
    ifs: splitPhrases('hvis, dersom, når, hvordan, om'),
  },
  {
    language: 'fi',
    things:
      splitPhrases(`sivu*, verkkosivu*, linkki*, linkin*, osoite*, osoitte*, sisält*, sisällö*, artikkeli*, tiedosto*,
      asiakirja*, dokumentti*, resurssi*, tuote*, tuotetta, ilmoitus*, profiili*, käyttäjä*, aihe*, keskustelu*,
      tapahtuma*, video*, resepti*, kohde*, kohdetta, työpaik*, hakemaasi, hakemasi, etsimääsi, etsimäsi,
      pyytämääsi, pyytämäsi, haluamaasi, mitä etsit`),
    missing:
      splitPhrases(`ei löyd*, ei löyt*, ei … löyt*, ei … löyd*, ei ole olemassa, ei … olemassa, emme löyt*, emme löyd*,
      emme … löyt*, en löyt*, puuttuu, kadonnut, hukassa`),
    gone: splitPhrases(
      `on poistettu, poistettu, siirretty, vanhentunut, poistunut, päättynyt, ei ole enää, ei enää`,
    ),
    unavailable: splitPhrases('ei … saatavilla, ei … käytettävissä'),
    hints: splitPhrases(
      `täällä ei ole mitään, eksyit, eksynyt, eksyksissä, umpikuja, rikkinäinen linkki, väärä osoite`,
    ),
    ifs: splitPhrases('jos, kun, mikäli, miten'),
  },
  {
    language: 'is',
    things: splitPhrases(
      `síða*, síðan*, síðuna, vefsíða*, vefsíðu*, slóð*, vefslóð*, efni*, skrá*, grein*, vara*, tengil*`,
    ),
    missing:
      splitPhrases(`fannst ekki, fannst … ekki, finnst ekki, finnst … ekki, er ekki til, ekki til, finnum ekki, finnum … ekki,
      ekki fundi*, ekki … fundi*, fundum ekki, fundum … ekki, ekki að finna, ekki … finna`),
    gone: splitPhrases('ekki lengur, verið fjarlægð*, verið eytt, verið færð*, verið flutt*'),
    unavailable: splitPhrases('ekki … aðgengileg*'),
    hints: splitPhrases('hér er ekkert, villst'),
    ifs: splitPhrases('ef, þegar'),
  },
  {
    language: 'pl',
    things:
      splitPhrases(`stron*, podstron*, witryn*, link*, odnośnik*, adres*, treść, treści, artykuł*, dokument*, plik*, zasob*,
      zasób, produkt*, ogłoszeni*, ofert*, profil*, użytkownik*, temat*, wątek, wydarzeni*, film*, przepis*,
      wpis*, element*, post, nieruchomoś*, aukcj*, czego szukasz, czego szukałeś, szukan*`),
    missing:
      splitPhrases(`nie znalezion*, nie … znalezion*, nie … znaleźć, nie znaleźli*, nie znaleźć, nie znajduje, nie istniej*,
      nie … istniej*, nie odnalezion*, nie … odnalezion*, nie … odnaleźć, nie znajdziesz, brak strony,
      nie ma takie*, nie ma tej, nie ma strony, nieistniejąc*, zaginę*, zniknę*, nie możemy znaleźć,
      nie odnaleźliśmy, nieznalezion*`),
    gone: splitPhrases(`nie jest już, usunięt*, przeniesion*, wygas*, zakończon*, nieaktualn*, nieaktywn*, wycofan*, skasowan*,
      nie jest aktywn*, archiwaln*, już niedostępn*, już … dostępn*`),
    unavailable: splitPhrases('nie jest … dostępn*, nie jest dostępn*, niedostępn*'),
    hints:
      splitPhrases(`nic tu nie ma, tu nic nie ma, tutaj nic nie ma, zgubiłeś się, zgubiłaś się, zabłądzi*, ślepa uliczka,
      ślepy zaułek, uszkodzony link, błędny adres, nieprawidłowy adres, zły adres`),
    ifs: splitPhrases('jeśli, jeżeli, gdy, kiedy, jak'),
  },
  {
    language: 'cs',
    things:
      splitPhrases(`stránk*, odkaz*, adres*, obsah*, článek, článk*, dokument*, soubor*, zdroj*, produkt*, zboží, inzerát*,
      nabídk*, profil*, uživatel*, téma, vlákno, událost*, akce, video, recept*, příspěv*, položk*, pozic*,
      nemovitost*, co hledáte, co jste hledali`),
    missing:
      splitPhrases(`nenalezen*, nebyl* … nalezen*, nebyl* nalezen*, nelze … najít, nelze … nalézt, nelze nalézt, nelze najít,
      nenašl*, se nenašl*, nemůžeme … najít, nemohli … najít, nepodařilo … najít, nepodařilo … nalézt,
      nemoh* … nalezen*, neexist*, nenalez*, nenachází, nenacház*, chybí, není zde, tu není, tady není, zmizel*,
      nenajd*`),
    gone: splitPhrases(`odstraněn*, smazán*, přesunut*, přemístěn*, vypršel*, ukončen*, zrušen*, neaktivní, není aktivní,
      přejmenován*, neplatn*, již není, už není, již nen* … dostupn*`),
    unavailable: splitPhrases(
      'není … dostupn*, není dostupn*, není … k dispozici, není k dispozici, nedostupn*',
    ),
    hints:
      splitPhrases(`nic tu není, tady nic není, zde nic není, ztratili jste se, ztratil jste se, zabloudil*, slepá ulička,
      slepé uličce, špatná adresa, nefunkční odkaz`),
    ifs: splitPhrases('pokud, jestliže, když, jak, zda'),
  },
  {
    language: 'sk',
    things:
      splitPhrases(`stránk*, podstránk*, odkaz*, adres*, obsah*, článok, článk*, dokument*, súbor*, zdroj*, produkt*,
      inzerát*, ponuk*, profil*, používateľ*, užívateľ*, téma, udalosť*, podujatie, video, recept*, príspev*,
      položk*, nehnuteľnos*, čo hľadáte`),
    missing:
      splitPhrases(`nenájden*, nebol* nájden*, nebol* … nájden*, sa nenašl*, nenašl*, nemožno … nájsť, nie je možné nájsť,
      nepodarilo … nájsť, nevieme … nájsť, nedá … nájsť, nemohli … nájsť, nemôžeme … nájsť, neexist*,
      nenachádza, chýba, nie je tu, tu nie je, zmizla`),
    gone: splitPhrases(`odstránen*, vymazan*, zmazan*, presunut*, vypršal*, ukončen*, zrušen*, premenovan*, neplatn*, už nie je,
      už nie sú`),
    unavailable: splitPhrases(
      `nie je … dostupn*, nie je dostupn*, nie je … k dispozícii, nie je k dispozícii, nedostupn*`,
    ),
    hints: splitPhrases(
      `nič tu nie je, tu nič nie je, stratili ste sa, zablúdil*, slepá ulička, nesprávna adresa`,
    ),
    ifs: splitPhrases('ak, keď, pokiaľ, ako'),
  },
  {
    language: 'hu',
    things:
      splitPhrases(`oldal*, weboldal*, aloldal*, lap, lapot, lapja, honlap*, link*, hivatkozás*, cím*, tartalom*, tartalma*,
      cikk*, dokumentum*, fájl*, állomány*, erőforrás*, termék*, hirdetés*, ajánlat*, profil*, felhasználó*,
      téma*, témát, esemény*, videó*, recept*, ingatlan*, bejegyzés*, állás*, amit keres*`),
    missing:
      splitPhrases(`nem talál*, nem … talál*, nem létez*, nem … létez*, nincs ilyen, nincs meg, nincs itt, hiányzik, eltűnt,
      nincs többé, elveszett`),
    gone: splitPhrases(`törölt*, törölve, törlésre került, eltávolított*, eltávolítva, áthelyez*, átköltöz*, megszűnt, lejárt,
      nem kapható, inaktív, elköltözött, már nem`),
    unavailable: splitPhrases(
      'nem elérhető*, nem … elérhető*, nem érhető el, nem … érhető el, nem áll rendelkezésre',
    ),
    hints: splitPhrases(
      `nincs itt semmi, itt nincs semmi, eltévedt*, zsákutca, hibás link, rossz cím, hibás cím`,
    ),
    ifs: splitPhrases('ha, amennyiben, hogyan'),
  },
  {
    language: 'ro',
    things:
      splitPhrases(`pagin*, link*, adres*, conținut*, articol*, document*, fișier*, resurs*, produs*, anunț*, ofert*, profil*,
      utilizator*, subiect*, eveniment*, rețet*, element*, postare*, imobil*, ce cauți, ceea ce cauți,
      ceea ce căutați, ce căutați`),
    missing:
      splitPhrases(`nu … găsit*, negăsit*, nu … găsi, nu … găsim, nu am găsit, nu există, nu … exist*, inexistent*,
      nu se găsește, nu se găsesc, pagin* lipsă, lipsește, nu e aici, nu este aici, dispărut*, de negăsit`),
    gone: splitPhrases(`fost ștears*, fost șters*, fost eliminat*, fost mutat*, ștears*, eliminat*, mutat*, expirat*, nu mai este,
      retras*, nu mai`),
    unavailable: splitPhrases('nu … disponibil*, indisponibil*, nu … accesibil*'),
    hints: splitPhrases(
      `nu e nimic aici, nu este nimic aici, te-ai rătăcit, v-ați rătăcit, fundătură, link greșit, adresă greșită`,
    ),
    ifs: splitPhrases('dacă, când, cum'),
  },
  {
    language: 'bg mk',
    things:
      splitPhrases(`обект, обектът, обекта, страниц*, сайт*, линк*, връзк*, врск*, адрес*, съдържани*, содржин*, стати*,
      документ*, файл*, датотек*, ресурс*, продукт*, производ*, обяв*, оглас*, оферт*, профил*, потребител*,
      корисник*, тема, темата, събити*, видео*, рецепт*, имот*, публикаци*, това което търсите, каквото търсите`),
    missing:
      splitPhrases(`не е намерен*, не беше намерен*, не … намерен*, не … открит*, не съществув*, не … съществув*, не … намери,
      не … открие, не намери*, не намираме, не открихме, не … намерим, не … открием, ненамерен*, липсва*,
      няма такава, няма такъв, не се намира, не … пронајден*, не … најден*, не постои, не … пронајде, изчезна*`),
    gone: splitPhrases(
      `не е активн*, изтрит*, премахнат*, преместен*, изтекл*, вече не, избришан*, отстранет*`,
    ),
    unavailable:
      splitPhrases(`не е … достъпен, не е достъпен, недостъпен, не е … наличен, не е наличен, не е достапен, не е … достъпн*,
      не е достъпн*, не е … налич*, не е налич*, недостъпн*, не е достапн*, недостапн*`),
    hints: splitPhrases(
      `тук няма нищо, няма нищо тук, изгубихте ли се, изгубили сте се, задънена улица, грешен адрес, счупен линк`,
    ),
    ifs: splitPhrases('ако, когато, как'),
  },
  {
    language: 'ru',
    things:
      splitPhrases(`страниц*, страничк*, сайт*, ссылк*, ссылок, адрес*, контент*, содержим*, стать*, документ*, файл*,
      ресурс*, материал*, товар*, продукт*, объявлени*, предложени*, ваканси*, профил*, пользовател*, тема,
      тему, темы, раздел*, событи*, мероприяти*, видео*, рецепт*, запис*, новост*, пост, объект*, что вы ищете,
      что вы искали, чего вы ищете`),
    missing:
      splitPhrases(`не найден*, не … найден*, не найти, не … найти, не нашли, не нашл*, не нашел*, не … нашли, не существ*,
      не … существ*, не обнаружен*, не … обнаружен*, страниц* отсутству*, страниц* … отсутству*,
      отсутству* … страниц*, нет такой, такой … нет, такого … нет, нет на сайте, потерялась, потеряна,
      больше нет, никогда не существовал*, не находит*, здесь нет, не может быть найден*, исчезла, пропала,
      нету, ненайден*`),
    gone: splitPhrases(`удален*, перемещен*, перенесен*, переехал*, снят* с публикации, снят* с продажи, в архиве, неактивн*,
      не актуальн*, неактуальн*, истек*, устарел*, нет в продаже, вакансия закрыта, переименован*,
      больше не доступн*, больше недоступн*, уже недоступн*`),
    unavailable: splitPhrases('недоступн*, недоступен, не доступн*, не доступен'),
    hints:
      splitPhrases(`здесь ничего нет, тут ничего нет, ничего нет, заблудились, потерялись, тупик, битая ссылка, битой ссылке,
      неверный адрес, неправильный адрес, неверно набран, неправильно набран*, ошиблись адресом`),
    ifs: splitPhrases('если, когда, как, почему'),
  },
  {
    language: 'uk',
    things:
      splitPhrases(`сторінк*, сайт*, посиланн*, адрес*, контент*, вміст*, статт*, документ*, файл*, ресурс*, матеріал*,
      товар*, продукт*, оголошенн*, пропозиці*, ваканс*, профіл*, користувач*, тема, тему, теми, поді*, відео*,
      рецепт*, запис*, новин*, допис*, що ви шукаєте, що ви шукали`),
    missing:
      splitPhrases(`не знайден*, не … знайден*, не знайти, не … знайти, не знайшл*, не … знайшл*, не існу*, не … існу*,
      не виявлен*, сторінк* відсутн*, сторінк* … відсутн*, немає такої, такої … немає, такої … нема,
      немає на сайті, загубил*, зникла, більше немає, не знаходит*`),
    gone: splitPhrases(`видален*, вилучен*, переміщен*, перенесен*, не актуальн*, неактуальн*, неактивн*, застаріл*,
      знят* з публікації, знят* з продажу, закінчи*, перейменован*, більше не доступн*, більше недоступн*,
      вже недоступн*`),
    unavailable: splitPhrases('недоступн*, недоступен, не доступн*, не доступен'),
    hints: splitPhrases(
      `тут нічого немає, заблукали, загубились, загубилися, глухий кут, неправильна адреса, хибна адреса`,
    ),
    ifs: splitPhrases('якщо, коли, як'),
  },
  {
    language: 'be',
    things: splitPhrases(
      `старонк*, сайт*, спасылк*, адрас*, змест*, артыкул*, дакумент*, файл*, рэсурс*, матэрыял*, тавар*, аб'яв*`,
    ),
    missing:
      splitPhrases(`не знойдзен*, не … знойдзен*, не знайшл*, не … знайсці, не існу*, не … існу*, старонк* адсутніча*,
      старонк* … адсутніча*, няма такой, згублен*`),
    gone: splitPhrases('выдален*, перанесен*, перамешчан*'),
    unavailable: splitPhrases('недаступн*'),
    hints: splitPhrases('тут нічога няма, заблукалі'),
    ifs: splitPhrases('калі, як'),
  },
  {
    language: 'sr',
    things:
      splitPhrases(`објекат, објекта, страниц*, страна, страну, сајт*, линк*, веза, адрес*, садржај*, чланак, чланк*,
      документ*, датотек*, фајл*, ресурс*, производ*, оглас*, понуд*, профил*, корисник*, тема, догађај*,
      видео*, рецепт*, некретнин*`),
    missing:
      splitPhrases(`није пронађен*, није нађен*, није … пронађен*, није … нађен*, не постоји, не постоје, не … постоји,
      не … пронаћи, не … наћи, нисмо … пронашли, нисмо … нашли, нисмо пронашли, нисмо нашли,
      не можемо да пронађемо, не могу да пронађем, недостаје, нестала`),
    gone: splitPhrases(`није више доступ*, више није доступ*, обрисан*, уклоњен*, премештен*, избрисан*, истекао, истекл*,
      више није`),
    unavailable: splitPhrases('није … доступан, није доступан, није … доступн*, није доступн*, недоступн*'),
    hints: splitPhrases('овде нема ничега, изгубили сте се, залутали, ћорсокак'),
    ifs: splitPhrases('ако, када, уколико, како'),
  },
  {
    language: 'hr bs sr',
    things:
      splitPhrases(`objekt, objekat, objekta, stranic*, strana, stranu, sajt*, poveznic*, link*, adres*, sadržaj*, članak,
      člank*, dokument*, datotek*, fajl*, resurs*, proizvod*, oglas*, ponud*, profil*, korisnik*, tema, temu,
      događaj*, događanj*, video*, recept*, nekretnin*, objav*, artikl*, artikal, ono što tražite, što tražite,
      šta tražite`),
    missing:
      splitPhrases(`nije pronađen*, nije nađen*, nije … pronađen*, nije … nađen*, ne postoji, ne postoje, ne … postoji,
      nismo pronašli, nismo našli, nismo … pronašli, ne … pronaći, ne … naći, nije moguće … pronaći,
      nismo … pronaći, ne možemo da pronađemo, nedostaje, nepostojeć*, ne nalazi, nije tu, nestala`),
    gone: splitPhrases(`nije više dostup*, više nije dostup*, obrisan*, uklonjen*, premješten*, premešten*, preseljen*, izbrisan*,
      istekao, istekl*, više nije, nije … aktiv*, nije aktiv*`),
    unavailable: splitPhrases('nije … dostupan, nije dostupan, nije … dostupn*, nije dostupn*, nedostupn*'),
    hints: splitPhrases(
      `ovdje nema ničega, ovde nema ničega, ovdje nema ništa, izgubili ste se, zalutali, slijepa ulica, ćorsokak`,
    ),
    ifs: splitPhrases('ako, kada, ukoliko, kako'),
  },
  {
    language: 'sl',
    things:
      splitPhrases(`stran, strani, podstran*, povezav*, naslov*, vsebin*, članek, člank*, dokument*, datotek*, vir, izdelek,
      izdelk*, oglas*, ponudb*, profil*, uporabnik*, tema, dogodek, dogodk*, video*, recept*, nepremičnin*,
      kar iščete`),
    missing:
      splitPhrases(`ni najden*, ni … najden*, ni mogoče najti, ni … najti, ne obstaja*, ne … obstaja*, nismo našli,
      nismo … našli, ne najdemo, ne najdem, ne … najti, nismo … najti, manjka, izginila, nismo … najdli`),
    gone: splitPhrases('odstranjen*, izbrisan*, premaknjen*, prestavljen*, potekl*, potekel, ni več'),
    unavailable: splitPhrases('ni … na voljo, ni na voljo, ni … dosegljiv*, ni dosegljiv*, nedosegljiv*'),
    hints: splitPhrases('tukaj ni ničesar, tu ni ničesar, izgubili ste se, zašli, slepa ulica'),
    ifs: splitPhrases('če, ko, kako'),
  },
  {
    language: 'el',
    things:
      splitPhrases(`σελίδ*, ιστοσελίδ*, ιστοσελιδ*, σύνδεσμ*, διεύθυνσ*, διευθύνσ*, περιεχόμεν*, περιεχομέν*, άρθρ*, έγγραφ*,
      αρχεί*, πόρος, πόρου, προϊόν*, αγγελί*, προσφορ*, προφίλ, χρήστη*, θέμα*, εκδήλωσ*, βίντεο, συνταγ*,
      ακίνητ*, δημοσίευσ*, αυτό που ψάχν*, αυτό που αναζητ*, που ψάχν*`),
    missing:
      splitPhrases(`δεν βρέθηκ*, δε βρέθηκ*, δεν … βρέθηκ*, δεν υπάρχ*, δεν … υπάρχ*, δεν … βρεθ*, δεν … βρούμε, δεν … βρει,
      δεν βρήκαμε, δεν … βρήκαμε, δεν εντοπίστηκ*, δεν … εντοπ*, ανύπαρκτ*, λείπει, χάθηκε, δεν … βρω`),
    gone: splitPhrases(`έχει αφαιρεθεί, έχει διαγραφεί, έχει μετακινηθεί, έχει μεταφερθεί, διαγράφηκε, αφαιρέθηκε, μετακινήθηκε,
      μεταφέρθηκε, έληξε, έχει λήξει, διαγραφεί, μετακινηθεί, δεν … πλέον, πλέον διαθέσιμ*`),
    unavailable: splitPhrases('δεν … διαθέσιμ*, μη διαθέσιμ*'),
    hints: splitPhrases('δεν υπάρχει τίποτα εδώ, χαθήκατε, έχετε χαθεί, χάθηκες, αδιέξοδο, λάθος διεύθυνση'),
    ifs: splitPhrases('αν, εάν, όταν, πώς'),
  },
  {
    language: 'tr',
    things:
      splitPhrases(`sayfa*, link*, bağlantı*, adres*, içerik*, içeriğ*, makale*, yazı, yazıyı, belge*, dosya*, kaynak*,
      kaynağ*, site*, ürün*, ilan*, teklif*, profil*, kullanıcı*, konu, konuyu, etkinlik*, etkinliğ*, video*,
      tarif*, gönderi*, haber*, kayıt*, aradığınız*, aradığın*, istediğiniz*`),
    missing:
      splitPhrases(`bulunamad*, bulunamıyor*, bulunamamakta*, bulunmamakta*, bulunmuyor*, bulunmamış*, bulamad*, bulamıyor*,
      mevcut değil*, sayfa yok, sayfa … yok, mevcut olmayan, var olmayan, mevcut olmayabilir, bulunmayan, eksik,
      kayıp`),
    gone: splitPhrases(`kaldırıl*, silin*, taşın*, yayından kaldır*, süresi dol*, süresi bit*, yayında değil, adı değiş*,
      artık … mevcut, artık … kullanılam*, artık … satış*`),
    unavailable:
      splitPhrases(`kullanılabilir değil, erişilebilir değil, kullanılamıyor, kullanılamaz, erişilemiyor*, erişilemed*,
      ulaşılamıyor*, ulaşılamad*, satışta değil`),
    hints:
      splitPhrases(`burada bir şey yok, burada hiçbir şey yok, kayboldunuz, kayboldun, kaybolmuş, yolunuzu kaybet*,
      çıkmaz sokak, yanlış adres, kırık bağlantı, bozuk bağlantı`),
    ifs: splitPhrases('eğer, nasıl, durumunda, neden'),
  },
  {
    language: 'ar',
    isGlued: true,
    things:
      splitPhrases(`صفحة, صفحه, الرابط, رابط, العنوان, عنوان, الموقع, المحتوى, محتوى, المقال, مقال, المستند, الوثيقة, الملف,
      ملف, المورد, المنتج, منتج, الإعلان, إعلان, العرض, المستخدم, الموضوع, الحدث, الفيديو, الوصفة, الخبر,
      الوظيفة, العقار, المنشور, ما تبحث عنه, الذي تبحث عنه, التي تبحث عنها, الصفحات`),
    missing:
      splitPhrases(`غير موجود, لم يتم العثور, لم نتمكن من العثور, لم نعثر, لا يمكن العثور, لا يمكننا العثور, تعذر العثور,
      تعذر علينا العثور, لم يعثر, لا توجد صفحة, لا يوجد صفحة, الصفحة لا توجد, لا توجد هذه الصفحة, لم نجد,
      لم يتم إيجاد, لم نتمكن من إيجاد, لا يمكن إيجاد, تعذر إيجاد, ليست موجودة, ليس موجود, لم تعد موجودة,
      لم يعد موجود, مفقود, ضائعة, غير متواجد, لا وجود, غير معروف`),
    gone: splitPhrases(`لم تعد متاحة, لم يعد متاح, لم تعد متوفرة, لم يعد متوفر, تم حذف, تمت إزالة, تم إزالة, تم نقل, حذفت, أزيلت,
      نقلت, انتهت صلاحية, منتهي, محذوف, تمت ازالت, تم إلغاء`),
    unavailable: splitPhrases('غير متاح, غير متوفر'),
    hints: splitPhrases(
      `لا يوجد شيء هنا, لا شيء هنا, هل أنت تائه, تائه, ضللت الطريق, طريق مسدود, رابط معطل, رابط خاطئ`,
    ),
    ifs: splitPhrases('إذا, عندما, في حال, كيف'),
  },
  {
    language: 'he',
    isGlued: true,
    things:
      splitPhrases(`דף, עמוד, קישור, לינק, כתובת, תוכן, מאמר, כתבה, מסמך, קובץ, משאב, מוצר, מודעה, פרופיל, משתמש, נושא, אירוע,
      סרטון, מתכון, משרה, נכס, פוסט, מה שחיפשת, שחיפשת, שביקשת, דירה`),
    missing:
      splitPhrases(`לא נמצא, לא קיים, לא קיימ, אינו קיים, אינה קיימת, איננו קיים, איננה קיימת, לא מצאנו, לא הצלחנו למצוא,
      לא ניתן למצוא, לא אותר, לא איתרנו, חסר, אין דף כזה, אין עמוד כזה, אינו נמצא, איננו נמצא, נעלם, אבד`),
    gone: splitPhrases('הוסר, נמחק, הועבר, כבר לא, פג תוקף, לא פעיל, אינו פעיל, שונה'),
    unavailable: splitPhrases('לא זמין, לא זמינה, אינו זמין, אינה זמינה'),
    hints: splitPhrases(
      `אין כאן כלום, אין פה כלום, הלכתם לאיבוד, הלכת לאיבוד, אבדתם, אבדת, מבוי סתום, קישור שבור, קישור שגוי`,
    ),
    ifs: splitPhrases('אם, כאשר, כיצד, איך'),
  },
  {
    language: 'fa',
    isGlued: true,
    things:
      splitPhrases(`صفحه, برگه, لینک, پیوند, آدرس, نشانی, محتوا, مقاله, نوشته, مطلب, سند, فایل, پرونده, منبع, محصول, کالا,
      آگهی, پروفایل, کاربر, موضوع, رویداد, ویدیو, ویدئو, خبر, سایت, صحه`),
    missing:
      splitPhrases(`یافت نشد, پیدا نشد, یافت نمیشود, یافت نمی شود, پیدا نمیشود, پیدا نمی شود, وجود ندارد, وجود نداشت,
      وجود نداشته, نیافتیم, پیدا نکردیم, نتوانستیم پیدا, موجود نیست, موجود نمیباشد, موجود نمی باشد, یافت نگردید,
      پیدا نکرد, نمیتوانیم پیدا, گم شده`),
    gone: splitPhrases('حذف شده, حذف گردیده, پاک شده, منتقل شده, جابجا شده, منقضی, غیرفعال'),
    unavailable: splitPhrases('در دسترس نیست, در دسترس نمیباشد, در دسترس نمی باشد'),
    hints: splitPhrases('چیزی اینجا نیست, اینجا چیزی نیست, گم شدهاید, گم شده اید, گم شدید, بن بست'),
    ifs: splitPhrases('اگر, هنگامی, چگونه'),
  },
  {
    language: 'ur',
    isGlued: true,
    things: splitPhrases('صفحہ, لنک, پتہ, مواد, مضمون, فائل'),
    missing: splitPhrases('نہیں ملا, نہیں مل, موجود نہیں, نہیں پایا, وجود نہیں'),
    gone: splitPhrases('ہٹا دیا, حذف'),
    unavailable: splitPhrases('دستیاب نہیں'),
    hints: [],
    ifs: splitPhrases('اگر'),
  },
  {
    language: 'hi mr ne',
    isGlued: true,
    things: splitPhrases(`पृष्ठ, पेज, लिंक, यूआरएल, पता, सामग्री, लेख, दस्तावेज, फ़ाइल, संसाधन, उत्पाद, विज्ञापन, प्रोफ़ाइल,
      उपयोगकर्ता, विषय, वीडियो, खबर, साइट, पन्ना, पोस्ट, पान, पाना, पृष्ट`),
    missing: splitPhrases(`नहीं मिला, नहीं मिली, नहीं मिल, नहीं मिले, मौजूद नहीं, नहीं पाया, नहीं पाई, नहीं ढूंढ, नहीं खोज,
      अस्तित्व में नहीं, ढूंढ नहीं, खोज नहीं, सापडले नाही, सापडला नाही, सापडत नाही, आढळले नाही, अस्तित्वात नाही,
      फेला परेन, भेटिएन, अवस्थित छैन`),
    gone: splitPhrases('हटा दिया, हटा दी, हटाया, स्थानांतरित, डिलीट, समाप्त हो, अब उपलब्ध नहीं'),
    unavailable: splitPhrases('उपलब्ध नहीं, उपलब्ध नाही, उपलब्ध छैन'),
    hints: splitPhrases('यहाँ कुछ नहीं, यहाँ कुछ भी नहीं, खो गए, रास्ता भटक, भटक गए'),
    ifs: splitPhrases('यदि, अगर, कैसे, जब'),
  },
  {
    language: 'bn',
    isGlued: true,
    things:
      splitPhrases(`পৃষ্ঠা, পেজ, পেইজ, পাতা, লিঙ্ক, লিংক, ঠিকানা, কনটেন্ট, বিষয়বস্তু, নিবন্ধ, ফাইল, পণ্য, ভিডিও, খবর, সংবাদ,
      তথ্য, পোস্ট`),
    missing: splitPhrases(`পাওয়া যায়নি, পাওয়া যাচ্ছে না, পাওয়া যায় নি, বিদ্যমান নেই, বিদ্যমান নয়, পাইনি, অস্তিত্ব নেই,
      পাওয়া গেল না, পাওয়া যায় না, খুঁজে পেলাম না`),
    gone: splitPhrases('মুছে ফেলা, সরিয়ে ফেলা, সরানো হয়েছে, স্থানান্তর'),
    unavailable: splitPhrases('উপলব্ধ নেই, উপলব্ধ নয়, উপলভ্য নয়'),
    hints: splitPhrases('এখানে কিছু নেই, হারিয়ে গেছেন'),
    ifs: splitPhrases('যদি, কিভাবে'),
  },
  {
    language: 'ta te',
    isGlued: true,
    things: splitPhrases('பக்கம், பக்கத்தை, இணைப்பு, పేజీ, లింక్'),
    missing:
      splitPhrases(`கிடைக்கவில்லை, காணப்படவில்லை, கண்டுபிடிக்க முடியவில்லை, இல்லை என்று, காணவில்லை, దొరకలేదు, కనుగొనబడలేదు,
      కనబడలేదు, ఉనికిలో లేదు`),
    gone: splitPhrases('நீக்கப்பட்ட, తొలగించబడింది'),
    unavailable: splitPhrases('అందుబాటులో లేదు'),
    hints: [],
    ifs: [],
  },
  {
    language: 'th',
    isGlued: true,
    things: splitPhrases(`หน้า, เพจ, ลิงก์, ลิงค์, ที่อยู่, เนื้อหา, บทความ, เอกสาร, ไฟล์, ข้อมูล, สินค้า, ประกาศ, เว็บ, กระทู้,
      วิดีโอ, โพสต์, รายการ, สิ่งที่คุณ, หัวข้อ`),
    missing: splitPhrases(`ไม่พบ, หาไม่พบ, หาไม่เจอ, ไม่เจอ, ไม่มีอยู่, ไม่มีหน้า, ไม่สามารถค้นหา, ไม่สามารถหา, ไม่ปรากฏ,
      ไม่มีในระบบ, ไม่ได้อยู่, หายไป`),
    gone: splitPhrases('ถูกลบ, ถูกย้าย, ถูกนำออก, หมดอายุ, ไม่มีจำหน่าย, ถูกยกเลิก, ลบไปแล้ว, เปลี่ยนชื่อ'),
    unavailable: splitPhrases('ไม่พร้อมใช้งาน, ไม่สามารถใช้งาน, ไม่สามารถเข้าถึง'),
    hints: splitPhrases('ไม่มีอะไรที่นี่, หลงทาง'),
    ifs: splitPhrases('หาก, ถ้า, วิธี'),
  },
  {
    language: 'vi',
    things:
      splitPhrases(`trang, liên kết, link, đường dẫn, đường link, địa chỉ, nội dung, bài viết, tài liệu, tập tin, tệp, file,
      sản phẩm, tin đăng, hồ sơ, người dùng, chủ đề, sự kiện, video, tài nguyên, mục, thông tin, những gì bạn,
      thứ bạn`),
    missing:
      splitPhrases(`không tìm thấy, không … tìm thấy, không tìm được, không tồn tại, không … tồn tại, không có trang,
      không thể tìm, chưa tìm thấy, không tìm ra, biến mất, thất lạc`),
    gone: splitPhrases(`không còn, bị xóa, bị xoá, đã xóa, đã xoá, được chuyển, bị di chuyển, bị gỡ, hết hạn, đổi tên,
      ngừng kinh doanh, đã di chuyển`),
    unavailable: splitPhrases('không khả dụng, không … khả dụng, không có sẵn, không truy cập được'),
    hints: splitPhrases('không có gì ở đây, bạn bị lạc, đi lạc, lạc đường, lạc lối, ngõ cụt'),
    ifs: splitPhrases('nếu, khi, cách, làm thế nào'),
  },
  {
    language: 'id',
    things:
      splitPhrases(`halaman*, laman*, tautan*, link, alamat*, konten*, artikel*, dokumen*, berkas*, file*, sumber*, situs*,
      produk*, iklan*, lowongan*, profil*, pengguna*, topik*, acara*, video*, resep*, berita*, postingan,
      yang anda cari, yang kamu cari, item`),
    missing:
      splitPhrases(`tidak ditemukan, tak ditemukan, tidak … ditemukan, tidak … menemukan, tidak menemukan, halaman tidak ada,
      halaman … tidak ada, belum ditemukan, gagal menemukan, tidak bisa kami temukan, hilang, tidak terdaftar`),
    gone: splitPhrases(`sudah tidak, telah dihapus, sudah dihapus, dihapus, dipindahkan, kedaluwarsa, kadaluarsa, kadaluwarsa,
      tidak aktif, berganti nama, tidak lagi`),
    unavailable: splitPhrases('tidak tersedia, tidak … tersedia, tidak dapat diakses, tidak bisa diakses'),
    hints: splitPhrases('tidak ada apa-apa di sini, tersesat, jalan buntu, salah alamat, tautan rusak'),
    ifs: splitPhrases('jika, apabila, bila, kalau, cara, ketika'),
  },
  {
    language: 'ms',
    things:
      splitPhrases(`halaman*, laman*, pautan*, alamat*, kandungan*, artikel*, dokumen*, fail*, sumber*, produk*, iklan*,
      profil*, pengguna*, topik*, acara*, video*, resipi*, yang anda cari`),
    missing:
      splitPhrases(`tidak dijumpai, tidak ditemui, tidak … dijumpai, tidak … ditemui, tidak ditemukan, tidak wujud,
      tidak … wujud, tidak … mencari, tidak menemui, halaman tiada, laman tiada, tidak … menemui`),
    gone: splitPhrases('tidak lagi tersedia, dipadam*, dipindahkan, dialih*, tamat tempoh'),
    unavailable: splitPhrases('tidak tersedia'),
    hints: splitPhrases('tiada apa-apa di sini, tersesat, sesat'),
    ifs: splitPhrases('jika, sekiranya, apabila, cara'),
  },
  {
    language: 'tl',
    things: splitPhrases('page, pahina, link, nilalaman, website'),
    missing:
      splitPhrases(`hindi mahanap, hindi nahanap, hindi … mahanap, hindi matagpuan, hindi natagpuan, hindi makita,
      hindi nakita, wala ang page, wala ang pahina, walang pahina`),
    gone: splitPhrases('tinanggal'),
    unavailable: splitPhrases('hindi available, hindi magagamit'),
    hints: [],
    ifs: splitPhrases('kung'),
  },
  {
    language: 'sw',
    things: splitPhrases('ukurasa, kurasa, kiungo, anwani'),
    missing: splitPhrases(
      `haupatikani, haukupatikana, haujapatikana, haipatikani, haikupatikana, haipo, haupo, hakuna ukurasa`,
    ),
    gone: splitPhrases('umeondolewa, umefutwa'),
    unavailable: [],
    hints: [],
    ifs: splitPhrases('ikiwa, kama'),
  },
  {
    language: 'ja',
    isGlued: true,
    things:
      splitPhrases(`オブジェクト, ページ, サイト, リンク, アドレス, コンテンツ, 記事, 文書, ドキュメント, ファイル, リソース, 商品, 製品, 求人, 物件, 広告, プロフィール, ユーザー, ユーザ,
      トピック, スレッド, イベント, 動画, レシピ, お探しの, 情報, 投稿, 画像, 作品`),
    missing:
      splitPhrases(`見つかりません, みつかりません, 見付かりません, 見つけられません, 見つけることができ, 見あたりません, 見当たりません, 存在しません, 存在しない, 存在していません, 存在いたしません,
      存在しておりません, 見つからない, 見つからなかった, みつからない, 見つかんない, ページはありません, ページがありません, ページはございません, ページがございません, ページはもうありません,
      行方不明`),
    gone: splitPhrases(`削除され, 削除した, 削除済み, 削除いたし, 移動し, 移動された, 公開終了, 公開を終了, 公開は終了, 掲載が終了, 掲載は終了, 掲載終了, 終了しました, 終了いたしました, 販売終了,
      販売を終了, 取り扱いを終了, 取扱い終了, 募集終了, 募集は終了, 非公開, 有効期限が切れ, 変更された, なくなった, 現在公開されていません`),
    unavailable: splitPhrases(
      '表示できません, 表示することができません, アクセスできません, 利用できません, ご利用いただけません, 閲覧できません',
    ),
    hints: splitPhrases('ここには何もありません, 何もありません, 迷子, 道に迷'),
    ifs: splitPhrases('場合, もし, とき, 方法'),
  },
  {
    language: 'ko',
    isGlued: true,
    things:
      splitPhrases(`객체, 개체, 페이지, 사이트, 링크, 주소, 콘텐츠, 컨텐츠, 내용, 게시글, 게시물, 글을, 글이, 기사, 문서, 파일, 자료, 리소스, 상품, 제품, 공고, 매물, 프로필, 사용자,
      회원, 이벤트, 동영상, 비디오, 레시피, 정보, 경로, 요청하신`),
    missing:
      splitPhrases(`찾을 수 없, 찾을 수가 없, 찾을수 없, 찾을수없, 찾지 못, 찾지못, 존재하지 않, 존재하지않, 없는 페이지, 페이지가 없습니다, 페이지는 없습니다, 페이지가 없어요, 페이지 없음,
      발견되지 않, 발견할 수 없, 없는 주소, 사라졌`),
    gone: splitPhrases(`삭제되, 삭제된, 삭제했, 이동되, 이동했, 이동하였, 이동된, 변경되, 변경된, 더 이상 제공, 종료되, 종료된, 마감되, 마감된, 만료되, 만료된, 판매 종료, 판매가 종료, 판매중지,
      비공개, 더 이상`),
    unavailable: splitPhrases(
      '이용할 수 없, 이용하실 수 없, 사용할 수 없, 접근할 수 없, 접속할 수 없, 볼 수 없, 표시할 수 없',
    ),
    hints: splitPhrases('아무것도 없, 길을 잃, 잘못된 주소, 잘못된 경로, 잘못된 접근'),
    ifs: splitPhrases('경우, 만약, 방법, 어떻게'),
  },
  {
    language: 'zh-hans',
    isGlued: true,
    things:
      splitPhrases(`页面, 网页, 頁, 链接, 网址, 地址, 内容, 文章, 文档, 文件, 资源, 网站, 站点, 商品, 产品, 宝贝, 职位, 房源, 广告, 帖子, 主题, 话题, 用户, 视频, 图片, 菜谱, 信息,
      资料, 专题, 路径, 要找的, 访问的, 查找的, 寻找的, 请求的, 页`),
    missing:
      splitPhrases(`不存在, 未找到, 找不到, 没有找到, 没找到, 无法找到, 未能找到, 未发现, 不见了, 没有此, 没有该, 无此, 找不着, 丢失, 走丢了, 飞走了, 消失了, 查无此, 不翼而飞, 不在了, 弄丢了,
      没有这个`),
    gone: splitPhrases(
      `已删除, 已被删除, 被删除, 删除了, 已下架, 下架, 已失效, 失效, 已过期, 过期, 已移除, 被移除, 移走, 已移动, 被移动, 已关闭, 已结束, 已停产, 已搬迁, 改名, 不再提供, 不再可用`,
    ),
    unavailable: splitPhrases('无法访问, 不可用, 无法显示, 无法打开'),
    hints: splitPhrases('这里什么都没有, 什么也没有, 什么都没有, 迷路了, 走错了, 空空如也'),
    ifs: splitPhrases('如果, 若, 当您, 怎么, 如何'),
  },
  {
    language: 'zh-hant',
    isGlued: true,
    things:
      splitPhrases(`頁面, 網頁, 頁, 連結, 鏈接, 網址, 位址, 地址, 內容, 文章, 文件, 檔案, 資源, 網站, 商品, 產品, 職缺, 職位, 物件, 廣告, 帖子, 主題, 話題, 用戶, 使用者, 影片,
      圖片, 食譜, 資訊, 資料, 路徑, 要找的, 查詢的, 尋找的, 請求的, 瀏覽的`),
    missing: splitPhrases(
      '不存在, 未找到, 找不到, 沒有找到, 沒找到, 無法找到, 未能找到, 不見了, 查無此, 無此, 遺失, 消失了, 沒有這個, 搵唔到, 並不存在',
    ),
    gone: splitPhrases(
      `已刪除, 已被刪除, 被刪除, 刪除了, 已下架, 下架, 已失效, 失效, 已過期, 過期, 已移除, 被移除, 移動, 已關閉, 已結束, 已停產, 已搬遷, 移至, 更名, 不再提供`,
    ),
    unavailable: splitPhrases('無法存取, 無法瀏覽, 無法顯示'),
    hints: splitPhrases('這裡什麼都沒有, 什麼都沒有, 迷路了, 走錯了'),
    ifs: splitPhrases('如果, 若, 當您, 怎麼, 如何'),
  },
  {
    language: 'et',
    things:
      splitPhrases(`leht, lehte, lehe, lehekülg*, lehekülj*, link*, aadress*, sisu*, artik*, dokument*, fail*, ressurss*,
      toode*, toote*, toodet, kuulutus*, profiil*, kasutaja*, teema*, sündmus*, video*, retsept*, postitus*,
      veebileht*, veebilehte`),
    missing:
      splitPhrases(`ei leitud, ei leia, ei … leitud, ei … leia, ei leidnud, ei leidu, ei … leida, ei ole olemas, ei … olemas,
      ei eksisteeri, pole olemas, puudub, kadunud`),
    gone: splitPhrases('eemaldatud, kustutatud, teisaldatud, aegunud, ei ole enam, pole enam, ei … enam'),
    unavailable: splitPhrases('ei … saadaval, pole … saadaval, ei … kättesaadav, pole … kättesaadav'),
    hints: splitPhrases('siin pole midagi, siin ei ole midagi, eksinud, ummiktee'),
    ifs: splitPhrases('kui, kuidas'),
  },
  {
    language: 'lv',
    things:
      splitPhrases(`lapa, lapas, lapu, lapai, mājaslap*, saite*, saiti, adres*, satur*, rakst*, dokument*, fail*, resurs*,
      produkt*, prece*, preci, sludinājum*, profil*, lietotāj*, tēma*, notikum*, pasākum*, video*, recept*,
      ierakst*`),
    missing:
      splitPhrases(`nav atrast*, nav … atrast*, netika atrast*, neeksist*, nevar … atrast, nevar atrast, nevar* … atrast,
      neizdevās … atrast, neizdevās atrast, neatrad*, nav šeit, neatrod*, trūkst, pazudu*`),
    gone: splitPhrases('dzēst*, izdzēst*, pārvietot*, noņemt*, beidzies, vairs nav'),
    unavailable: splitPhrases('nav … pieejam*, nav pieejam*, nepieejam*'),
    hints: splitPhrases('šeit nekā nav, apmaldī*, strupceļ*'),
    ifs: splitPhrases('ja, kad, kā'),
  },
  {
    language: 'lt',
    things:
      splitPhrases(`puslap*, svetain*, nuorod*, adres*, turin*, straipsn*, dokument*, fail*, ištekl*, produkt*, prekė, prekės,
      prekę, skelbim*, profil*, vartotoj*, tema, temos, įvyk*, rengin*, video*, recept*, įraš*`),
    missing:
      splitPhrases(`nerast*, nerad*, neegzist*, nebuvo rast*, nepavyko … rasti, nepavyko rasti, negalime … rasti,
      negali būti rast*, nėra tokio, puslapio nėra, puslapio … nėra, neįmanoma rasti, nepavyksta … rasti, dingo,
      nerandam*`),
    gone: splitPhrases(
      `nebepasiekiam*, nebegalioj*, pašalint*, ištrint*, perkelt*, pasibaig*, nebėra, nebeegzist*, neaktyv*`,
    ),
    unavailable: splitPhrases('nepasiekiam*, neprieinam*'),
    hints: splitPhrases('čia nieko nėra, pasiklyd*, akligatv*'),
    ifs: splitPhrases('jei, jeigu, kai, kaip'),
  },
  {
    language: 'ca',
    things:
      splitPhrases(`pàgin*, enllaç*, adreç*, contingut*, article*, document*, fitxer*, arxiu*, recurs*, lloc, producte*,
      anunci*, ofert*, perfil*, usuari*, tema, esdeveniment*, vídeo*, recept*, entrad*, notíci*, el que busqu*,
      el que cerqu*`),
    missing:
      splitPhrases(`no trobad*, no trobat, no s'ha trobat, no s'ha … trobat, no s'ha pogut trobar, no … trobat*, no … trobar,
      no exist*, no … exist*, inexistent*, no trobem, no hi és, perduda`),
    gone: splitPhrases(`estat eliminad*, estat esborrad*, estat mogud*, estat eliminat, estat mogut, s'ha eliminat, s'ha mogut,
      s'ha esborrat, caducad*, ha caducat, descatalogat*, ja no … disponible*`),
    unavailable: splitPhrases('no … disponible*'),
    hints: splitPhrases(
      "aquí no hi ha res, t'has perdut, us heu perdut, carreró sense sortida, enllaç trencat",
    ),
    ifs: splitPhrases('si, quan, com'),
  },
  {
    language: 'eu',
    things:
      splitPhrases(`orri*, webgune*, esteka*, helbide*, eduki*, artikulu*, dokumentu*, fitxategi*, baliabide*, produktu*,
      iragarki*, profil*, erabiltzaile*`),
    missing:
      splitPhrases(`ez da aurkitu, ez da … aurkitu, ezin izan da … aurkitu, ezin … aurkitu, ez … aurkitu, ez da existitzen,
      ez … existitzen, orri* … ez dago, orri* ez dago, aurkitu ez, existitzen ez`),
    gone: splitPhrases('ezabatu*, kendu*, lekuz aldatu*, iraungi*'),
    unavailable: splitPhrases('ez … eskuragarri, ez … erabilgarri'),
    hints: splitPhrases('hemen ez dago ezer, galdu egin zara'),
    ifs: splitPhrases('baldin, nola'),
  },
  {
    language: 'gl',
    things:
      splitPhrases(`páxin*, ligazón*, enlace*, enderezo*, contid*, artigo*, documento*, ficheiro*, arquivo*, recurso*, sitio,
      produto*, anuncio*, perfil, usuario*, o que buscas`),
    missing:
      splitPhrases(`non … atopad*, non se atop*, non … atopar, non atop*, non exist*, non … exist*, non encontrad*,
      non se encontr*, inexistente*`),
    gone: splitPhrases('foi eliminad*, foi movid*, eliminad*, caducad*, movid*'),
    unavailable: splitPhrases('non … dispoñible*'),
    hints: splitPhrases('aquí non hai nada, perdícheste'),
    ifs: splitPhrases('se, cando, como'),
  },
  {
    language: 'cy ga',
    things: splitPhrases('tudalen*, dudalen*, dolen, cynnwys, leathanach, nasc, ábhar'),
    missing:
      splitPhrases(`níor aimsigh, ar iarraidh, heb ei ganfod, heb ei chanfod, heb ei ddarganfod, heb ei darganfod,
      ddim yn bodoli, methu dod o hyd, methu … dod o hyd, methu canfod, gan aimsiú, níor aimsíodh,
      ní bhfuarthas, nach bhfuil … ann, níl … ann`),
    gone: splitPhrases('wedi symud, wedi ei symud, wedi cael ei'),
    unavailable: splitPhrases('ddim ar gael, ddim … ar gael, níl … ar fáil'),
    hints: [],
    ifs: splitPhrases('os, má'),
  },
  {
    language: 'sq',
    things: splitPhrases('faqja, faqe*, faqen, lidhj*, adres*, përmbajtj*, artikull*, dokument*, produkt*'),
    missing: splitPhrases(
      `nuk u gjet*, nuk … gjet*, nuk ekziston*, nuk … ekziston*, nuk gjendet, nuk gjetëm, nuk mund të gjend*`,
    ),
    gone: splitPhrases('është fshirë, është hequr, është zhvendosur'),
    unavailable: splitPhrases('nuk … disponueshm*, nuk është … në dispozicion'),
    hints: [],
    ifs: splitPhrases('nëse, kur, si'),
  },
  {
    language: 'af',
    things: splitPhrases('bladsy*, blad, skakel, adres, inhoud, artikel*, dokument*, produk*'),
    missing: splitPhrases(
      `nie gevind*, nie … gevind*, bestaan nie, bestaan … nie, nie bestaan, nie vind, nie … vind`,
    ),
    gone: splitPhrases('verwyder*, verskuif*'),
    unavailable: splitPhrases('nie … beskikbaar*'),
    hints: [],
    ifs: splitPhrases('as, indien, wanneer'),
  },
  {
    language: 'az uz kk ky tt tk',
    things:
      splitPhrases(`səhifə*, sahifa*, link*, havola*, ünvan*, manzil*, бет, беті, бетті, парақ*, парақша*, сахифа*, саҳифа*,
      сілтеме*, sahypa*`),
    missing:
      splitPhrases(`tapılmadı, tapılmır, tapılmayıb, mövcud deyil*, yoxdur, topilmadi, mavjud emas, табылмады, табылған жоқ,
      табылган жок, бет жоқ, парақ* жоқ, топилмади, мавжуд эмас, tapylmady`),
    gone: splitPhrases('silinib, silinmişdir, köçürülüb, oʻchirilgan, жойылған, өшірілген'),
    unavailable: splitPhrases('əlçatan deyil'),
    hints: [],
    ifs: splitPhrases('əgər, agar, егер, эгер'),
  },
  {
    language: 'ka hy mn',
    things: splitPhrases('გვერდი, გვერდ*, ბმული, էջ*, հղում*, хуудас*, холбоос*, хаяг*'),
    missing:
      splitPhrases(`ვერ მოიძებნა, არ მოიძებნა, ვერ … მოიძებნა, არ არსებობს, ვერ ვიპოვეთ, չի գտնվել, չգտնվեց, գոյություն չունի,
      չկա, олдсонгүй, олдохгүй, байхгүй`),
    gone: splitPhrases('წაშლილია, ջնջվել, տեղափոխվել, устгагдсан'),
    unavailable: splitPhrases('მიუწვდომელია'),
    hints: [],
    ifs: splitPhrases('თუ, եթե, хэрэв'),
  },
  {
    language: 'ku br yi lb mt',
    things: splitPhrases('rûpel*, rupel*, pajenn*, bajenn*, זײַט, זייט, säit*, paġna, link, adres*'),
    missing:
      splitPhrases(`nehat dîtin, nehate dîtin, nayê dîtin, tune ye, n'eo ket bet kavet, n'eus ket eus, נישט געפונען,
      עקזיסטירט נישט, net fonnt, existéiert net, ma nstabitx, ma teżistix, ma nstabet`),
    gone: splitPhrases('hatiye jêbirin, dilamet, dilec'),
    unavailable: [],
    hints: [],
    ifs: splitPhrases('eger, heke, wann, jekk'),
  },
  {
    language: 'km lo my',
    isGlued: true,
    things: splitPhrases('ទំព័រ, ຫນ້າ, ໜ້າ, စာမျက်နှာ'),
    missing: splitPhrases('រកមិនឃើញ, មិនមាន, ບໍ່ພົບ, ບໍ່ມີ, မတွေ့ပါ, မတွေ့, ရှာမတွေ့, မရှိပါ'),
    gone: splitPhrases('ត្រូវបានលុប, ຖືກລຶບ'),
    unavailable: [],
    hints: [],
    ifs: [],
  },
];

/** Words that mean the same in every language that uses them. */
export const sharedWordings: Readonly<Record<SharedKind, readonly string[]>> = {
  // Words for URL that are used in every language.
  things: splitPhrases('url, urls, uri, урл'),
  // Words for an error. Next to one of these words, 404 means an error.
  errors:
    splitPhrases(`error, errors, err, fehler, fehlercode, erreur, errore, erro, fout, fel, fejl, feil, virhe, villa, błąd,
      chyba, hiba, eroare, greška, napaka, viga, kļūda, klaida, errorea, σφάλμα, hata, lỗi, kesalahan, galat,
      ralat, ошибка, помилка, памылка, грешка, грешке, қате, xəta, خطأ, خطا, שגיאה, त्रुटि, एरर, ত্রুটি,
      ข้อผิดพลาด, エラー, 오류, 에러, 错误, 錯誤, oops, ooops, ups, whoops, uh oh, sorry, oh no, hoppla, hups, oups, ой,
      упс, ой-ой`),
  // Words next to a 404 that do not mean an error. The number may be an area code.
  labels: splitPhrases('code, codes, http, status, код, nr, no, #'),
  // Words of a search without results. The page exists, but its list is empty.
  searches:
    splitPhrases(`result, results, your search, search term*, search query, search for, matches, matching, matched,
      keyword*, ergebnis*, suchergebnis*, treffer, suchbegriff*, ihre suche, deine suche, résultat*,
      votre recherche, resultado*, tu búsqueda, su búsqueda, sua busca, sua pesquisa, risultat*, tua ricerca,
      resultat*, resultaten, resultaat, zoekresultat*, zoekopdracht*, träff, träffar, sökning*, søgning*,
      søkeresultat*, tulos, tuloksia, tulokset, hakutulo*, haullesi, wynik*, výsled*, találat*, rezultat*,
      резултат*, результат*, ничего не найдено, нічого не знайдено, по вашему запросу, за вашим запитом,
      zadetk*, αποτελέσμα*, αποτέλεσμα*, sonuç*, نتائج, نتيجة, نتیجه, نتایج, תוצאות, परिणाम, ফলাফল, ผลลัพธ์,
      ผลการค้นหา, kết quả, hasil*, 検索結果, 検索条件, 該当する, 一致する, 검색결과, 검색 결과, 搜索结果, 相关结果, 搜尋結果, 符合條件, 符合条件, tulemus*,
      rezultāt*, emaitza*`),
  // Vocabulary of texts about missing pages.
  subjects:
    splitPhrases(`status code*, response code*, statuscode*, response status, rfc, htaccess, errordocument, error_page,
      mod_rewrite, nginx, apache, iis, search console, googlebot, redirect*, 301, 302, 400, 403, 429, 503,
      soft 404, 404 errors, 404 pages, 404s, custom 404, error pages, error codes, error handling, bad request,
      permalink settings, broken links, dead links, fehlerseite*, weiterleitung*, fehlercodes, pages d'erreur,
      page d'erreur, code d'état, codes d'état, página de error, páginas de error, código de estado,
      códigos de estado, redirección, redirecciones, página de erro, páginas de erro, código de status,
      códigos de status, redirecionamento*, pagina di errore, pagine di errore, codice di stato,
      codici di stato, reindirizzament*, foutpagina*, foutcode*, foutmelding*, felsida, felsidor, statuskod*,
      fejlside*, statuskode*, virhesivu*, tilakoodi*, stron* błędu, przekierowani*, kod* odpowiedzi,
      chybov* stránk*, přesměrování, stavov* kód*, presmerovan*, hibaoldal*, állapotkód*, átirányít*,
      pagin* de eroare, cod de stare, страница за грешка, пренасочван*, страниц* ошиб*, код состояния,
      код ответа, коды ответа, ответа сервера, редирект*, перенаправлени*, сторінк* помилк*, перенаправлен*,
      код відповіді, stranic* greške, preusmjer*, preusmer*, σελίδα σφάλματος, ανακατεύθυνσ*, hata sayfa*,
      hata kod*, durum kod*, yönlendir*, رمز الحالة, إعادة التوجيه, הפניה, کد وضعیت, ریدایرکت, स्टेटस कोड,
      रीडायरेक्ट, স্ট্যাটাস কোড, chuyển hướng, trang lỗi, mã trạng thái, halaman kesalahan, kode status,
      pengalihan, エラーページ, ステータスコード, リダイレクト, 오류 페이지, 상태 코드, 리다이렉트, 状态码, 重定向, 错误页面, 狀態碼, 重新導向, 錯誤頁面`),
  // Beginnings of headings of explanations. Error pages do not have such headings.
  questions:
    splitPhrases(`how to fix, how to, what is, what are, what does, was ist, was bedeutet, beheben, einrichten, c'est quoi,
      qu'est-ce que, que signifie, comment corriger, comment réparer, qué es, qué significa, solucionar*,
      o que é, o que significa, corrigir, cos'è, che cos'è, cosa significa, risolver*, wat is, wat betekent,
      vad är, vad betyder, hvad er, hva er, hva betyr, mikä on, co to jest, jak naprawić, naprawić, co je,
      čo je, mi az, ce este, ce înseamnă, какво е, что такое, что значит, что это, исправить, що таке,
      виправити, što je, šta je, kaj je, τι είναι, nedir, nasıl düzelt*, ما هو, ما هي, מה זה, מהי, چیست,
      क्या है, কী, คืออะไร, วิธีแก้, là gì, cách khắc phục, apa itu, cara mengatasi, とは, 対処, 原因, 解説, 해결, 원인,
      에러란, 什么是, 解决方法, 什麼是, 解決方法`),
};

/** Kinds of words that combine with words of any language. */
export type SharedKind = 'things' | 'errors' | 'labels' | 'searches' | 'subjects' | 'questions';

/** Splits words at commas. The text may have several lines. */
export function splitPhrases(words: string): string[] {
  return words
    .split(',')
    .map((word) => word.replaceAll(/\s+/gu, ' ').trim())
    .filter((word) => word !== '');
}
