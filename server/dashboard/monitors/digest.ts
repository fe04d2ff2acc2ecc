import type { RequestHandler } from 'express';
import { performFor } from '../../../db/accounts/open-account.ts';
import * as digests from '../../../db/notifications/digests.ts';
import { changeDigest } from '../../../monitors/digest.ts';
import { readDigest } from '../../api/read-digest.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { formOf } from '../forms.ts';
import { toRefusal } from '../refusal.ts';
import { actorOf, authorizationOf, sessionOf } from '../visitors.ts';

/** When the owners of an account are told by mail what its monitors found. */
export function digestPages(context: DashboardContext) {
  const { db } = context;

  const change: RequestHandler = async (req, res) => {
    const { accountId } = sessionOf(req);
    const form = formOf(req);
    const every = form.text('every');
    const [at, timezone] = every === 'day' ? [form.text('at'), form.text('timezone')] : [];
    try {
      const known = await digests.find(db, accountId);
      const wish = readDigest({ every, at: at || null, timezone: timezone || null }, known);
      await performFor(
        db,
        authorizationOf(req),
        changeDigest(context, { ...wish, accountId, by: actorOf(req) }),
      );
      const when = wish.at === null ? 'when runs end' : `each day at ${wish.at}, ${wish.timezone}`;
      setFlash(context, res, { tone: 'good', text: `Saved. Mails come ${when}.` });
    } catch (error) {
      setFlash(context, res, { tone: 'bad', text: toRefusal(error).message });
    }
    res.redirect(303, '/monitors');
  };

  return { change };
}
