const minute = 60;
const hour = 60 * minute;

/** Seconds between tries. */
const retryDelays = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour];

/** How a server took a mail. Refused: for good. `isOfAddress`: not the mail is refused, but whom it goes to. */
export type Sent =
  | { state: 'sent' }
  | { state: 'refused'; error: string; isOfAddress: boolean }
  | { state: 'put off'; error: string };

/** What follows from a try; a delay says when to try again. */
export function verdictOn(
  sent: Sent,
  attemptsBefore: number,
): 'sent' | 'failed' | { retryAfterSeconds: number } {
  if (sent.state === 'sent') return 'sent';
  const delay = retryDelays[attemptsBefore];
  if (sent.state === 'refused' || delay === undefined) return 'failed';
  return { retryAfterSeconds: delay };
}
