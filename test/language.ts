/** Checks the words of comments, documents and messages; part of `npm run check`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Rule {
  pattern: RegExp;
  reason: string;
  /** Applies to comments and documents alone: in code the words are names or data. */
  isForProse?: true;
}

const rules: Rule[] = [
  { pattern: /\bwhoever\b/i, reason: 'Name the person or program, such as "the caller".' },
  {
    pattern: /\bof (?:before|late)\b/i,
    reason: 'Say "earlier", "previous" or "recently".',
    isForProse: true,
  },
  {
    pattern: /(?<!\bthere )\bis no\b(?! (?:longer|more than|less than|fewer than))/i,
    reason: 'Say "is not a" or "has no".',
  },
  { pattern: /\bthere is none\b/i, reason: 'Say what is missing, such as "without a key".' },
  {
    pattern: /\b(?:he|his|him|himself)\b/i,
    reason: 'Programs, callers and accounts are "it" or "they".',
    isForProse: true,
  },
  {
    pattern: /\/\*\*\s*(?:What|Who|Whose|Whom|Of)\b/,
    reason: 'A docstring starts with a verb ("Returns") or the noun that it describes.',
  },
];
/** The rules themselves, recorded pages, and sentences of other languages. */
const exempt = [
  'test/language.ts',
  'test/pages/',
  'checks/soft-404/phrases.ts',
  'package-lock.json',
  'LICENSE',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:ts|js|sql|md|eta|ya?ml|json)$/.test(file) && existsSync(join(root, file)))
  .filter((file) => !exempt.some((path) => file.startsWith(path)));

const offences = files.flatMap((file) => {
  const isCode = /\.(?:ts|js|sql|json)$/.test(file);
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const isProse = !isCode || /^\s*(?:\/\/|\/?\*|--)/.test(line);
      const rule = rules.find(({ pattern, isForProse }) => (isProse || !isForProse) && pattern.test(line));
      return rule ? `${file}:${index + 1}: ${line.trim()}\n    ${rule.reason}` : [];
    });
});
for (const offence of offences) console.error(offence);
if (offences.length > 0) process.exitCode = 1;
