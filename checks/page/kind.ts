import { detectWallPage } from './bot-wall.ts';
import { isUndecodable } from './charset.ts';
import type { Page } from './page.ts';

/** Kinds of pages that do not show whether the requested page exists. */
export type UnjudgedKind =
  | 'undecodable'
  | 'bot_wall'
  | 'parked_domain'
  | 'log_in_page'
  | 'app_shell'
  | 'unread';

export function findUnjudgedKind(page: Page): UnjudgedKind | null {
  if (isUndecodable(`${page.title}\n${page.text}`)) return 'undecodable';
  if (detectWallPage(page) !== null) return 'bot_wall';
  if (isParked(page)) return 'parked_domain';
  if (isLogIn(page)) return 'log_in_page';
  if (page.isCut) return page.words === 0 ? 'unread' : null;
  return isAppShell(page) ? 'app_shell' : null;
}

const parkedWordsMax = 300;
const logInWordsMax = 150;
const shellWordsMax = 12;
const noticeWordsMax = 50;

function isParked(page: Page): boolean {
  if (page.words > parkedWordsMax) return false;
  const text = `${page.title}\n${page.text}`.toLowerCase();
  const script = page.scriptText.toLowerCase();
  return (
    parkedWordings.some((words) => text.includes(words)) || parkingHosts.some((host) => script.includes(host))
  );
}

function isLogIn(page: Page): boolean {
  if (page.mainWords > logInWordsMax) return false;
  if (page.counts.passwordFields > 0) return true;
  const headings = page.headings.filter((heading) => heading.isMain && heading.level < 3);
  const titles = [page.title, ...headings.map((heading) => heading.text)].map((text) => text.toLowerCase());
  return (
    page.counts.forms > 0 && titles.some((title) => logInTitles.some((words) => beginsWith(title, words)))
  );
}

function beginsWith(title: string, words: string): boolean {
  return title.startsWith(words) && !/\p{L}/u.test(title.charAt(words.length));
}

function isAppShell(page: Page): boolean {
  if (page.words === 0) return true;
  if (page.counts.scripts === 0) return false;
  if (page.words <= shellWordsMax) return true;
  return page.words <= noticeWordsMax && /javascript/iu.test(`${page.noscriptText} ${page.text}`);
}

const parkedWordings = [
  'domain is for sale',
  'domain name is for sale',
  'domain may be for sale',
  'domain for sale',
  'buy this domain',
  'domain is parked',
  'domain has been parked',
  'parked domain',
  'domain parking',
  'parked free, courtesy of',
  'this domain has expired',
  'inquire about this domain',
  'domain steht zum verkauf',
  'domain ist geparkt',
  'domain kaufen',
  'domaine est à vendre',
  'nom de domaine est en vente',
  'dominio está en venta',
  'dominio en venta',
  'domínio está à venda',
  'dominio è in vendita',
  'domein is te koop',
  'domena jest na sprzedaż',
  'doména je na prodej',
  'домен продается',
  'домен продаётся',
  'домен припаркован',
  'bu alan adı satılık',
  'このドメインは販売',
  'このドメインは売り出し',
  '该域名正在出售',
  '此域名出售',
  '域名出售',
];

const parkingHosts = [
  'sedoparking.com',
  'parkingcrew.net',
  'bodis.com',
  'parklogic.com',
  'above.com/park',
  'parking-lander',
  'd38psrni17bvxu.cloudfront.net',
  'hugedomains.com',
  'afternic.com',
  '//dan.com/',
  '//park.io/',
];

const logInTitles = [
  'log in',
  'login',
  'sign in',
  'signin',
  'anmelden',
  'anmeldung',
  'einloggen',
  'connexion',
  'se connecter',
  'iniciar sesión',
  'inicia sesión',
  'acceso',
  'accedi',
  'iniciar sessão',
  'inloggen',
  'logga in',
  'log ind',
  'logg inn',
  'kirjaudu',
  'zaloguj',
  'logowanie',
  'přihlášení',
  'prihlásenie',
  'bejelentkezés',
  'autentificare',
  'вход',
  'войти',
  'вхід',
  'увійти',
  'prijava',
  'σύνδεση',
  'giriş yap',
  'تسجيل الدخول',
  'התחברות',
  'ورود',
  'लॉग इन',
  'লগইন',
  'เข้าสู่ระบบ',
  'đăng nhập',
  'masuk',
  'log masuk',
  'ログイン',
  'サインイン',
  '로그인',
  '登录',
  '登入',
  '登錄',
];
