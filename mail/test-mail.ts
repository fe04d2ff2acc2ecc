import { randomUUID } from 'node:crypto';
import { toHtml, toText } from './layout.ts';
import type { MailMessage } from './smtp.ts';

/** Creates the mail of `npm run admin -- mail test`. */
export function createTestMail(
  to: string,
  { baseUrl, domain }: { baseUrl: string; domain: string },
): MailMessage {
  const content = {
    to,
    subject: 'Test email from Sonde',
    parts: [{ text: 'The command "mail test" sent this email. Your email settings work.' }],
  };
  const footer = { baseUrl, unsubscribeUrl: null };
  return {
    to,
    subject: content.subject,
    text: toText(content, footer),
    html: toHtml(content, footer),
    messageId: `<${randomUUID()}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}
