import type { Request, Response } from 'express';
import type { DashboardContext } from './context.ts';
import { type FieldNames, toRefusal } from './refusal.ts';

/** A message for the next page. The secret is shown once. */
export interface Flash {
  tone: 'good' | 'warn' | 'bad';
  text: string;
  secret?: string;
}

const lifeSeconds = 120;

/** Encrypts the message, so that nobody can read the secret in the cookie or forge a message. */
export function setFlash({ secretBox, cookies }: DashboardContext, res: Response, flash: Flash): void {
  const endsAtMs = Date.now() + lifeSeconds * 1000;
  const sealed = secretBox.seal(JSON.stringify({ flash, endsAtMs }));
  cookies.write(res, 'flash', sealed.toString('base64url'), lifeSeconds);
}

/** Runs the action of a form. The next page shows the text that the action returns, or why the form was rejected. */
export async function flashResult(
  context: DashboardContext,
  res: Response,
  action: () => Promise<string>,
  names?: FieldNames,
): Promise<void> {
  try {
    setFlash(context, res, { tone: 'good', text: await action() });
  } catch (error) {
    setFlash(context, res, { tone: 'bad', text: toRefusal(error, names).message });
  }
}

export function takeFlash(
  { secretBox, cookies }: DashboardContext,
  req: Request,
  res: Response,
): Flash | null {
  const sealed = cookies.read(req, 'flash');
  if (!sealed) return null;
  cookies.clear(res, 'flash');
  try {
    const { flash, endsAtMs } = JSON.parse(secretBox.open(Buffer.from(sealed, 'base64url')) ?? '');
    // Browsers delete the cookie at this time. A copy of the cookie must not live longer.
    return Date.now() < endsAtMs ? flash : null;
  } catch {
    return null;
  }
}
