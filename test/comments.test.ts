import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The formatter wraps code at 110 columns and leaves comments alone; a word may extend over that edge. */
const columnsMax = 120;
/** A generated file. */
const generated = ['client/openapi.d.ts', 'db/schema.ts'];

const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.js'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)) && !generated.includes(file));

describe('comments', () => {
  it('have at most 120 columns', () => {
    const wide = sources.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .map((line, index) => ({ line, at: `${file}:${index + 1}` }))
        .filter(({ line }) => /^\s*(\/\/|\/\*|\* )/.test(line) && line.length > columnsMax)
        .map(({ at }) => at),
    );
    expect(sources.length).to.be.greaterThan(200);
    expect(wide).to.deep.equal([]);
  });
});
