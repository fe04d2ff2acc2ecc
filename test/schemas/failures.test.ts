import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { failures, itemErrors, type ResponsibleParty } from '../../schemas/failures.ts';

/** Words of the table in docs/limits.md for the party that caused an error. */
const whose: Record<ResponsibleParty, RegExp> = {
  caller: /^the caller$/,
  network: /^the caller, unless we doubt our network$/,
  either: /^unknown$/,
  ours: /^us$/,
};

describe('the errors of checks', () => {
  it('are in docs/limits.md with their cause', () => {
    const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
    const rows = new Map(
      page.split('\n').map((line) => {
        const [, word = '', doing = ''] = line.split('|').map((cell) => cell.trim());
        return [word, doing];
      }),
    );
    for (const word of itemErrors) {
      expect(rows.get(`\`${word}\``), word).to.match(whose[failures[word].fault]);
    }
  });
});
