import type { Mailer } from './smtp.ts';

/** For `npm start` where there is no SMTP_URL: what would be sent is printed, for whoever sits at this machine. */
export function createTerminalMailer(print: (text: string) => void): Mailer {
  return {
    send: async ({ to, text }) => {
      const [address = ''] = /https?:\/\/\S+token=\S+/.exec(text) ?? [];
      print(`\nA mail to ${to} would say (no SMTP_URL is set):\n  ${address}\n`);
      return { state: 'sent' };
    },
  };
}
