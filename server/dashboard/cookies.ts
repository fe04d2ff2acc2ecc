import type { Request, Response } from 'express';

export type Cookies = ReturnType<typeof createCookies>;

/**
 * `visitor` binds forms to a browser that is not signed in. `flash` holds a message for the next page. `step` holds a
 * sign-in that waits for the second factor. `next` holds the page to open after an emailed link. `device` marks a
 * browser that has signed in before.
 */
type CookieName = 'session' | 'visitor' | 'flash' | 'step' | 'next' | 'device';

/** With https, names start with `__Host-`. Other hosts cannot set such cookies (RFC 6265bis, section 4.1.3.2). */
export function createCookies(baseUrl: string) {
  const secure = baseUrl.startsWith('https:');
  const fullName = (name: CookieName) => `${secure ? '__Host-' : ''}sonde_${name}`;
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  return {
    read: (req: Request, name: CookieName): string | null =>
      readCookie(req.get('cookie') ?? '', fullName(name)),
    /** If `maxAgeSeconds` is omitted, the cookie ends when the browser is closed. */
    write: (res: Response, name: CookieName, value: string, maxAgeSeconds?: number): void => {
      const life = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds * 1000 };
      res.cookie(fullName(name), value, { ...options, ...life });
    },
    clear: (res: Response, name: CookieName) => void res.clearCookie(fullName(name), options),
  };
}

function readCookie(header: string, name: string): string | null {
  const pair = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) || null;
}
