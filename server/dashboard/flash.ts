import type { Request, Response } from 'express';
import type { DashboardContext } from './context.ts';

/** What the next page says first. A secret in it is shown once and never again. */
export interface Flash {
  tone: 'good' | 'bad';
  text: string;
  secret?: string;
}

const lifeSeconds = 120;

/** Sealed, so that nobody reads a secret from a cookie or writes us a message. */
export function setFlash({ box, cookies }: DashboardContext, res: Response, flash: Flash): void {
  cookies.write(res, 'flash', box.seal(JSON.stringify(flash)).toString('base64url'), lifeSeconds);
}

export function takeFlash({ box, cookies }: DashboardContext, req: Request, res: Response): Flash | null {
  const sealed = cookies.read(req, 'flash');
  if (!sealed) return null;
  cookies.clear(res, 'flash');
  try {
    return JSON.parse(box.open(Buffer.from(sealed, 'base64url')));
  } catch {
    return null;
  }
}
