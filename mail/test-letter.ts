import { randomUUID } from 'node:crypto';
import { asHtml, asText } from './layout.ts';
import type { Outgoing } from './smtp.ts';

/** What the operator sends himself, to see whether mails arrive. */
export function testLetter(to: string, { baseUrl, domain }: { baseUrl: string; domain: string }): Outgoing {
  const letter = {
    to,
    subject: 'A test from Sonde',
    parts: [{ text: 'This mail was sent by the command "mail test". That it is here is all it has to say.' }],
  };
  const footer = { baseUrl, unsubscribeUrl: null };
  return {
    to,
    subject: letter.subject,
    text: asText(letter, footer),
    html: asHtml(letter, footer),
    messageId: `<${randomUUID()}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}
