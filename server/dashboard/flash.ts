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
  const endsAtMs = Date.now() + lifeSeconds * 1000;
  const sealed = box.seal(JSON.stringify({ flash, endsAtMs }));
  cookies.write(res, 'flash', sealed.toString('base64url'), lifeSeconds);
}

export function takeFlash({ box, cookies }: DashboardContext, req: Request, res: Response): Flash | null {
  const sealed = cookies.read(req, 'flash');
  if (!sealed) return null;
  cookies.clear(res, 'flash');
  try {
    const { flash, endsAtMs } = JSON.parse(box.open(Buffer.from(sealed, 'base64url')) ?? '');
    // A browser forgets it by then; whoever has it from elsewhere is not to have it for longer.
    return Date.now() < endsAtMs ? flash : null;
  } catch {
    return null;
  }
}
