import { ConfigError, type Environment, readText } from './settings.ts';

export interface MailConfig {
  /** `terminal` prints mails with a sign-in or reset link, and drops other mails. `off` sends no mails. */
  mode: 'smtp' | 'terminal' | 'off';
  /** Set if `mode` is `smtp`; otherwise null. */
  smtp: { url: string; from: string; dkim: DkimConfig | null } | null;
  /** Domain of Message-IDs. */
  domain: string;
}

interface DkimConfig {
  domain: string;
  selector: string;
  privateKey: string;
}

/** Throws ConfigError. Its message never contains a password or a key. */
export function readMailConfig(env: Environment, baseUrl: string): MailConfig {
  const url = readSmtpUrl(env);
  const from = readSender(env, baseUrl);
  const dkim = readDkimConfig(env);
  const domain = from.replace(/>$/, '').split('@').at(-1) ?? 'localhost';
  return { mode: url === null ? 'off' : 'smtp', smtp: url === null ? null : { url, from, dkim }, domain };
}

function readSmtpUrl(env: Environment): string | null {
  const value = readText(env, 'SMTP_URL');
  const url = value !== null && URL.canParse(value) ? new URL(value) : null;
  if (value === null || (url && /^smtps?:$/.test(url.protocol) && url.hostname !== '')) return value;
  throw new ConfigError('SMTP_URL', 'is not an SMTP URL', 'smtp://user:password@smtp.example.com:587');
}

const address = String.raw`[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+`;

function readSender(env: Environment, baseUrl: string): string {
  const value = readText(env, 'MAIL_FROM') ?? `Sonde <no-reply@${new URL(baseUrl).hostname}>`;
  if (new RegExp(`^(${address}|[^<>@"\\p{Cc}]+ <${address}>)$`, 'u').test(value)) return value;
  throw new ConfigError(
    'MAIL_FROM',
    `must be one email address, not "${value}"`,
    'Sonde <no-reply@sonde.example.com>',
  );
}

function readDkimConfig(env: Environment): DkimConfig | null {
  const names = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'] as const;
  const [domain, selector, key] = names.map((name) => readText(env, name));
  if (!domain && !selector && !key) return null;
  const missing = names.find((name) => readText(env, name) === null);
  if (missing)
    throw new ConfigError(missing, 'is not set. Set all three DKIM settings or none', examples[missing]);
  for (const [name, value] of [
    ['DKIM_DOMAIN', domain],
    ['DKIM_SELECTOR', selector],
  ] as const) {
    if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(value ?? ''))
      throw new ConfigError(name, 'must be a DNS name', examples[name]);
  }
  // Most hosting platforms store a setting as one line, in which `\n` stands for a line break.
  const privateKey = (key ?? '').replaceAll('\\n', '\n');
  if (!privateKey.startsWith('-----BEGIN '))
    throw new ConfigError('DKIM_PRIVATE_KEY', 'must be an RSA key in PEM format', examples.DKIM_PRIVATE_KEY);
  return { domain: domain ?? '', selector: selector ?? '', privateKey };
}

const examples = {
  DKIM_DOMAIN: 'sonde.example.com',
  DKIM_SELECTOR: 'mail',
  DKIM_PRIVATE_KEY: '"-----BEGIN PRIVATE KEY-----\\n…\\n-----END PRIVATE KEY-----"',
};
