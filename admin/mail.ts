import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import * as mails from '../db/notifications/mails.ts';
import { createMessage } from '../mail/layout.ts';
import { createMailer } from '../mail/mailer.ts';
import type { AdminContext, RunCommand } from './context.ts';
import { createEnumParser, parseEmailOption } from './options.ts';

const listMax = 100;
const states = ['pending', 'sent', 'failed', 'dropped'] as const;

export function addMailCommands(program: Command, run: RunCommand): void {
  const mail = program.command('mail').description('outgoing emails');

  mail
    .command('test')
    .description('send a test email now and show the response of the email server')
    .requiredOption('--to <email>', 'recipient', parseEmailOption)
    .action(({ to }: { to: string }) => run((context) => test(context, to)));

  mail
    .command('list')
    .description(`list the newest ${listMax} emails; they are stored for 30 days`)
    .option('--state <state>', states.join(', '), createEnumParser(states))
    .action(({ state }: { state?: (typeof states)[number] }) =>
      run(async ({ db }) => (await mails.list(db, { state, limit: listMax })).map(toMailRow)),
    );
}

async function test({ config, setFailed }: AdminContext, to: string) {
  const mailer = createMailer(config.mail.smtp, false);
  if (!mailer) throw new Error('Email is off. Set SMTP_URL to send email.');
  const content = {
    to,
    subject: 'Test email from Sonde',
    parts: [{ text: 'The command "mail test" sent this email. Your email settings work.' }],
  };
  const footer = { baseUrl: config.web.baseUrl, unsubscribeUrl: null };
  const sent = await mailer.send(createMessage(content, footer, `<${randomUUID()}@${config.mail.domain}>`));
  if (sent.state !== 'sent') setFailed();
  return { to, state: sent.state, error: sent.state === 'sent' ? null : sent.error };
}

function toMailRow({
  mailId,
  template,
  accountId,
  userId,
  state,
  attempts,
  createdAt,
  nextAttemptAt,
  endedAt,
  error,
}: mails.Mail) {
  return { mailId, template, accountId, userId, state, attempts, createdAt, nextAttemptAt, endedAt, error };
}
