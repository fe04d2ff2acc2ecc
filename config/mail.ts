import { ConfigError, type Environment, text } from './settings.ts';

/** How mails leave. */
export interface MailConfig {
  /** By SMTP; as lines of the terminal, those with a link to come in by; or not at all. */
  mode: 'smtp' | 'terminal' | 'off';
  /** Null exactly when it is not by SMTP. */
  smtp: { url: string; from: string; dkim: DkimConfig | null } | null;
  /** What stands behind the @ of Message-IDs. */
  domain: string;
}

interface DkimConfig {
  domain: string;
  selector: string;
  privateKey: string;
}

/** Throws ConfigError. Values that hold a password or a key are not repeated. */
export function readMailConfig(env: Environment, baseUrl: string): MailConfig {
  const url = smtpUrl(env);
  const from = sender(env, baseUrl);
  const dkim = dkimConfig(env);
  const domain = from.replace(/>$/, '').split('@').at(-1) ?? 'localhost';
  return { mode: url === null ? 'off' : 'smtp', smtp: url === null ? null : { url, from, dkim }, domain };
}

function smtpUrl(env: Environment): string | null {
  const value = text(env, 'SMTP_URL');
  const url = value !== null && URL.canParse(value) ? new URL(value) : null;
  if (value === null || (url && /^smtps?:$/.test(url.protocol) && url.hostname !== '')) return value;
  throw new ConfigError(
    'SMTP_URL',
    'is no address of a mail server',
    'smtp://user:password@smtp.example.com:587',
  );
}

const address = String.raw`[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+`;

function sender(env: Environment, baseUrl: string): string {
  const value = text(env, 'MAIL_FROM') ?? `Sonde <no-reply@${new URL(baseUrl).hostname}>`;
  if (new RegExp(`^(${address}|[^<>@"\\p{Cc}]+ <${address}>)$`, 'u').test(value)) return value;
  throw new ConfigError(
    'MAIL_FROM',
    `must be one address, not "${value}"`,
    'Sonde <no-reply@sonde.example.com>',
  );
}

/** All three or none. */
function dkimConfig(env: Environment): DkimConfig | null {
  const names = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'] as const;
  const [domain, selector, key] = names.map((name) => text(env, name));
  if (!domain && !selector && !key) return null;
  const missing = names.find((name) => text(env, name) === null);
  if (missing)
    throw new ConfigError(
      missing,
      'is not set, and mails are signed by all three or none',
      examples[missing],
    );
  for (const [name, value] of [
    ['DKIM_DOMAIN', domain],
    ['DKIM_SELECTOR', selector],
  ] as const) {
    if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(value ?? ''))
      throw new ConfigError(name, 'must be a name as DNS has it', examples[name]);
  }
  // One line in most hosts' settings.
  const privateKey = (key ?? '').replaceAll('\\n', '\n');
  if (!privateKey.startsWith('-----BEGIN '))
    throw new ConfigError('DKIM_PRIVATE_KEY', 'must be an RSA key as PEM', examples.DKIM_PRIVATE_KEY);
  return { domain: domain ?? '', selector: selector ?? '', privateKey };
}

const examples = {
  DKIM_DOMAIN: 'sonde.example.com',
  DKIM_SELECTOR: 'mail',
  DKIM_PRIVATE_KEY: '"-----BEGIN PRIVATE KEY-----\\n…\\n-----END PRIVATE KEY-----"',
};
