import { randomUUID } from 'node:crypto';
import { asHtml, asText } from './layout.ts';
import type { Outgoing } from './smtp.ts';

/** Creates the mail of `npm run admin -- mail test`. */
export function testLetter(to: string, { baseUrl, domain }: { baseUrl: string; domain: string }): Outgoing {
  const content = {
    to,
    subject: 'Test mail from Sonde',
    parts: [{ text: 'The command "mail test" sent this mail. Your mail settings work.' }],
  };
  const footer = { baseUrl, unsubscribeUrl: null };
  return {
    to,
    subject: content.subject,
    text: asText(content, footer),
    html: asHtml(content, footer),
    messageId: `<${randomUUID()}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}
