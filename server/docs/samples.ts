import { readFileSync } from 'node:fs';

export interface Sample {
  id: string;
  title: string;
  file: string;
  note?: string;
  code: string;
}

/** The address that stands in the files, so that they run as they are against a service on this machine. */
const writtenFor = 'http://localhost:3000';

/** Samples as their page shows them, with the address of this service. */
export function quickStarts(baseUrl: string): Sample[] {
  return [
    sample(baseUrl, 'quick-start.sh', 'curl', 'Paste it line by line into a shell.'),
    sample(
      baseUrl,
      'quick-start.mjs',
      'JavaScript',
      'Node 18 or newer, without any package. Set <code>SONDE_TOKEN</code>.',
    ),
    sample(
      baseUrl,
      'quick-start.py',
      'Python',
      'Python 3, without any package. Set <code>SONDE_TOKEN</code>.',
    ),
  ];
}

/** A query with others to look for, and what was asked shown. */
export function competitorsSample(baseUrl: string): Sample {
  return sample(baseUrl, 'competitors.sh', 'curl');
}

export function webhookVerifiers(baseUrl: string): Sample[] {
  return [
    sample(baseUrl, 'verify-webhook.mjs', 'JavaScript'),
    sample(baseUrl, 'verify_webhook.py', 'Python'),
  ];
}

function sample(baseUrl: string, file: string, title: string, note?: string): Sample {
  const text = readFileSync(new URL(`./samples/${file}`, import.meta.url), 'utf8');
  return { id: title.toLowerCase(), title, file, note, code: text.trim().replaceAll(writtenFor, baseUrl) };
}
