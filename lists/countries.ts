const nameLocales = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];

/**
 * Returns the upper-case code of a country, given its code of two or three letters or its name in one of seven
 * languages; otherwise null.
 */
export function findCountry(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return code === 'UK' || threeLetterCodes.includes(`${code}:`) ? code : null;
  if (/^[A-Z]{3}$/.test(code)) return toTwoLetters(code);
  countries ??= codesByName('region');
  return countries.get(code) ?? null;
}

/** ISO 639-1 codes that Google Search accepts unchanged as the language of its interface. */
export const knownLanguages: ReadonlySet<string> = new Set(
  `af ak am ar az be bg bn br bs ca co cs cy da de ee el en eo es et eu fa fi fo fr fy ga gd gl gn gu ha hi hr ht hu hy
  ia id ig is it ja ka kg kk kl km kn ko ku ky la lb lg ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no ny oc om or
  pa pl ps pt qu rm rn ro ru rw sd si sk sl sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr tt tw ug uk ur uz vi
  wo xh yi yo zu`.split(/\s+/),
);

/** ISO 639-1 codes for which Google has another code. */
export const languageAliases: ReadonlyMap<string, string> = new Map([
  ['he', 'iw'],
  ['jv', 'jw'],
  ['nb', 'no'],
  ['zh', 'zh-CN'],
]);

/** Google's codes of languages with a region. Source: developers.google.com/maps/faq#languagesupport. */
export const regionalLanguages: ReadonlyMap<string, string> = new Map(
  ['en-AU', 'en-GB', 'es-419', 'fr-CA', 'pt-BR', 'pt-PT', 'zh-CN', 'zh-HK', 'zh-TW'].map((code) => [
    code.toLowerCase(),
    code,
  ]),
);

/** Returns the code of a language, such as `de` or `pt-BR`, given its code or its name; otherwise null. */
export function findLanguage(text: string): string | null {
  const code = text.trim().toLowerCase();
  if (/^[a-z]{2}$/.test(code)) return knownLanguages.has(code) || languageAliases.has(code) ? code : null;
  const regional = regionalLanguages.get(code.replace('_', '-'));
  if (regional) return regional;
  languages ??= codesByName('language');
  return languages.get(code.toUpperCase()) ?? null;
}

let countries: Map<string, string> | null = null;
let languages: Map<string, string> | null = null;

/** Returns codes by name in upper case. Called only when a list has a name, because most lists have codes. */
function codesByName(type: 'region' | 'language'): Map<string, string> {
  const found = new Map<string, string>();
  for (const code of twoLetterCodes(type)) {
    const own = type === 'language' ? [code] : [];
    for (const locale of [...nameLocales, ...own]) {
      const name = new Intl.DisplayNames([locale], { type, fallback: 'none' }).of(code)?.toUpperCase();
      if (name && !found.has(name)) found.set(name, code);
    }
  }
  return found;
}

/** Excludes deprecated codes, which are replaced by their successors. */
function twoLetterCodes(type: 'region' | 'language'): string[] {
  const letters = [...(type === 'region' ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : 'abcdefghijklmnopqrstuvwxyz')];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const toTag = (code: string) => (type === 'region' ? `und-${code}` : code);
  return codes.filter((code) => Intl.getCanonicalLocales(toTag(code))[0] === toTag(code));
}

function toTwoLetters(code: string): string | null {
  const at = threeLetterCodes.indexOf(`:${code}`);
  return at < 0 ? null : threeLetterCodes.slice(at - 2, at);
}

/** ISO 3166-1, and Kosovo as in the data of Unicode. Search Console and BigQuery write the codes of three letters. */
const threeLetterCodes = `AD:AND AE:ARE AF:AFG AG:ATG AI:AIA AL:ALB AM:ARM AO:AGO AQ:ATA AR:ARG AS:ASM AT:AUT AU:AUS AW:ABW AX:ALA
  AZ:AZE BA:BIH BB:BRB BD:BGD BE:BEL BF:BFA BG:BGR BH:BHR BI:BDI BJ:BEN BL:BLM BM:BMU BN:BRN BO:BOL BQ:BES
  BR:BRA BS:BHS BT:BTN BV:BVT BW:BWA BY:BLR BZ:BLZ CA:CAN CC:CCK CD:COD CF:CAF CG:COG CH:CHE CI:CIV CK:COK
  CL:CHL CM:CMR CN:CHN CO:COL CR:CRI CU:CUB CV:CPV CW:CUW CX:CXR CY:CYP CZ:CZE DE:DEU DJ:DJI DK:DNK DM:DMA
  DO:DOM DZ:DZA EC:ECU EE:EST EG:EGY EH:ESH ER:ERI ES:ESP ET:ETH FI:FIN FJ:FJI FK:FLK FM:FSM FO:FRO FR:FRA
  GA:GAB GB:GBR GD:GRD GE:GEO GF:GUF GG:GGY GH:GHA GI:GIB GL:GRL GM:GMB GN:GIN GP:GLP GQ:GNQ GR:GRC GS:SGS
  GT:GTM GU:GUM GW:GNB GY:GUY HK:HKG HM:HMD HN:HND HR:HRV HT:HTI HU:HUN ID:IDN IE:IRL IL:ISR IM:IMN IN:IND
  IO:IOT IQ:IRQ IR:IRN IS:ISL IT:ITA JE:JEY JM:JAM JO:JOR JP:JPN KE:KEN KG:KGZ KH:KHM KI:KIR KM:COM KN:KNA
  KP:PRK KR:KOR KW:KWT KY:CYM KZ:KAZ LA:LAO LB:LBN LC:LCA LI:LIE LK:LKA LR:LBR LS:LSO LT:LTU LU:LUX LV:LVA
  LY:LBY MA:MAR MC:MCO MD:MDA ME:MNE MF:MAF MG:MDG MH:MHL MK:MKD ML:MLI MM:MMR MN:MNG MO:MAC MP:MNP MQ:MTQ
  MR:MRT MS:MSR MT:MLT MU:MUS MV:MDV MW:MWI MX:MEX MY:MYS MZ:MOZ NA:NAM NC:NCL NE:NER NF:NFK NG:NGA NI:NIC
  NL:NLD NO:NOR NP:NPL NR:NRU NU:NIU NZ:NZL OM:OMN PA:PAN PE:PER PF:PYF PG:PNG PH:PHL PK:PAK PL:POL PM:SPM
  PN:PCN PR:PRI PS:PSE PT:PRT PW:PLW PY:PRY QA:QAT RE:REU RO:ROU RS:SRB RU:RUS RW:RWA SA:SAU SB:SLB SC:SYC
  SD:SDN SE:SWE SG:SGP SH:SHN SI:SVN SJ:SJM SK:SVK SL:SLE SM:SMR SN:SEN SO:SOM SR:SUR SS:SSD ST:STP SV:SLV
  SX:SXM SY:SYR SZ:SWZ TC:TCA TD:TCD TF:ATF TG:TGO TH:THA TJ:TJK TK:TKL TL:TLS TM:TKM TN:TUN TO:TON TR:TUR
  TT:TTO TV:TUV TW:TWN TZ:TZA UA:UKR UG:UGA UM:UMI US:USA UY:URY UZ:UZB VA:VAT VC:VCT VE:VEN VG:VGB VI:VIR
  VN:VNM VU:VUT WF:WLF WS:WSM XK:XKK YE:YEM YT:MYT ZA:ZAF ZM:ZMB ZW:ZWE`;
