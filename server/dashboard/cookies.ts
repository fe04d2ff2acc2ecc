import type { Request, Response } from 'express';

export interface Cookies {
  read(req: Request, name: CookieName): string | null;
  /** For so long, or until the browser is closed. */
  write(res: Response, name: CookieName, value: string, maxAgeSeconds?: number): void;
  clear(res: Response, name: CookieName): void;
}

/**
 * The session; who a form was made for while nobody is signed in; a message for the next page; a sign-in that
 * awaits its second factor; the page that is wanted after a mailed link; a browser that signed in before.
 */
export type CookieName = 'session' | 'visitor' | 'flash' | 'step' | 'next' | 'device';

/**
 * Where the service is reached by https no other host may set its cookies: `__Host-` (RFC 6265bis, section
 * 4.1.3.2).
 */
export function createCookies(baseUrl: string): Cookies {
  const secure = baseUrl.startsWith('https:');
  const nameOf = (name: CookieName) => `${secure ? '__Host-' : ''}sonde_${name}`;
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  return {
    read: (req, name) => readCookie(req.get('cookie') ?? '', nameOf(name)),
    write: (res, name, value, maxAgeSeconds) => {
      const life = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds * 1000 };
      res.cookie(nameOf(name), value, { ...options, ...life });
    },
    clear: (res, name) => void res.clearCookie(nameOf(name), options),
  };
}

function readCookie(header: string, name: string): string | null {
  const pair = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) || null;
}
