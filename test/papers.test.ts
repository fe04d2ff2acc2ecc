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

/** Finds every match of a pattern's first group in some files, with its file. */
function found(pattern: RegExp, among: string[]): Array<{ file: string; named: string }> {
  return among.flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([, named = '']) => ({ file, named })),
  );
}

const papers = files.filter((file) => file.endsWith('.md'));
const sources = files.filter((file) => !file.endsWith('.md'));
const isThere = (path: string) => existsSync(join(root, path));

describe('references in docs and comments', () => {
  it('name no paper outside of the project', () => {
    const elsewhere = /\b(DESIGN|HARDENING|(?:SPEC|HOUSE|STYLE|AUDIT|SCALE|LIBRARIES|providers)\.md)\b/g;
    expect(found(elsewhere, files)).to.deep.equal([]);
  });

  it('to files exist in comments', () => {
    const cited = found(/\b(docs\/[\w/-]+\.md|(?:README|ARCHITECTURE|SECURITY|CHANGELOG)\.md)\b/g, sources);
    expect(cited.length).to.be.greaterThan(3);
    expect(cited.filter(({ named }) => !isThere(named))).to.deep.equal([]);
  });

  // The README files of the client and of the tests use paths from their own folder.
  it('name existing files and folders', () => {
    const named = found(/`([\w.-]+\/[\w./-]*)`/g, papers)
      .filter(({ named: path }) => folders.has(path.split('/', 1)[0] ?? ''))
      .filter(({ file }) => !file.startsWith('client/') && !file.startsWith('test/'));
    expect(named.length).to.be.greaterThan(50);
    expect(named.filter(({ named: path }) => !isThere(path))).to.deep.equal([]);
  });

  it('link to existing targets', () => {
    const links = found(/\]\((?!https?:|mailto:)([^)#]+)/g, papers);
    const dead = links.filter(({ file, named }) => !isThere(normalize(join(dirname(file), named))));
    expect(dead).to.deep.equal([]);
  });
});
