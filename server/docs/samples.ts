import { readFileSync } from 'node:fs';

export interface Sample {
  id: string;
  title: string;
  file: string;
  code: string;
}

/** The address that stands in the files, so that they run as they are against a service on this machine. */
const writtenFor = 'http://localhost:3000';

const languages: Record<string, string> = {
  sh: 'Shell',
  mjs: 'JavaScript (Node 20)',
  py: 'Python 3',
  php: 'PHP 8',
};

/** Samples as their page shows them, with the address of this service. */
export function samplesOf(baseUrl: string, files: string[]): Sample[] {
  return files.map((file) => {
    const text = readFileSync(new URL(`./samples/${file}`, import.meta.url), 'utf8');
    const [name = '', ending = ''] = file.split('.');
    return {
      id: `${name}-${ending}`,
      title: languages[ending] ?? ending,
      file,
      code: text.trim().replaceAll(writtenFor, baseUrl),
    };
  });
}

/** The same thing in each language of the guide. */
export function inEachLanguage(baseUrl: string, name: string): Sample[] {
  return samplesOf(
    baseUrl,
    ['sh', 'mjs', 'py'].map((ending) => `${name}.${ending}`),
  );
}
