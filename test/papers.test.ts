import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => existsSync(join(root, file)))
  .filter((file) => /\.(ts|js|mjs|py|sh|eta|css|json|yaml|md|example)$/.test(file))
  .filter((file) => basename(file) !== 'package-lock.json' && file !== 'test/papers.test.ts');
const folders = new Set(files.map((file) => file.split('/', 1)[0] ?? ''));

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Every match of a pattern's first group in some files, with the file it stands in. */
function found(pattern: RegExp, among: string[]): Array<{ file: string; named: string }> {
  return among.flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([, named = '']) => ({ file, named })),
  );
}

const papers = files.filter((file) => file.endsWith('.md'));
const sources = files.filter((file) => !file.endsWith('.md'));
const isThere = (path: string) => existsSync(join(root, path));

describe('papers', () => {
  it('are all here: nothing cites one that whoever clones the project cannot open', () => {
    const elsewhere = /\b(DESIGN|HARDENING|(?:SPEC|HOUSE|STYLE|AUDIT|SCALE|LIBRARIES|providers)\.md)\b/g;
    expect(found(elsewhere, files)).to.deep.equal([]);
  });

  it('are where comments say', () => {
    const cited = found(/\b(docs\/[\w/-]+\.md|(?:README|ARCHITECTURE|SECURITY|CHANGELOG)\.md)\b/g, sources);
    expect(cited.length).to.be.greaterThan(3);
    expect(cited.filter(({ named }) => !isThere(named))).to.deep.equal([]);
  });

  // The client's page and that of the tests name paths from their own folder.
  it('name files and folders that there are', () => {
    const named = found(/`([\w.-]+\/[\w./-]*)`/g, papers)
      .filter(({ named: path }) => folders.has(path.split('/', 1)[0] ?? ''))
      .filter(({ file }) => !file.startsWith('client/') && !file.startsWith('test/'));
    expect(named.length).to.be.greaterThan(50);
    expect(named.filter(({ named: path }) => !isThere(path))).to.deep.equal([]);
  });

  it('link to what is there', () => {
    const links = found(/\]\((?!https?:|mailto:)([^)#]+)/g, papers);
    const dead = links.filter(({ file, named }) => !isThere(normalize(join(dirname(file), named))));
    expect(dead).to.deep.equal([]);
  });
});
