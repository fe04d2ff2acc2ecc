import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { words } from './support/words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Allowed imports by folder; a folder may always import itself and `process/`. Types count as much as values. */
const mayImport: Record<string, string[]> = {
  config: ['checks'],
  process: ['db', 'schemas'],
  schemas: [],
  net: [],
  lists: ['net'],
  checks: ['net', 'lists', 'schemas'],
  db: ['schemas'],
  wire: ['db', 'schemas'],
  accounts: ['batches', 'webhooks', 'mail', 'db', 'schemas'],
  batches: ['accounts', 'webhooks', 'db', 'schemas'],
  webhooks: ['accounts', 'db', 'wire', 'net', 'schemas'],
  mail: ['db', 'schemas'],
  monitors: ['accounts', 'batches', 'webhooks', 'mail', 'checks', 'db', 'wire', 'net', 'schemas'],
  upkeep: ['accounts', 'batches', 'monitors', 'webhooks', 'mail', 'db', 'schemas'],
  server: words('accounts batches monitors webhooks mail upkeep checks db wire net lists schemas'),
  worker: words('accounts batches monitors webhooks mail upkeep checks db wire net schemas'),
  admin: words('local accounts batches monitors webhooks mail upkeep checks db wire net schemas'),
  local: ['checks'],
};

/** Allowed imports by folder of the dashboard. Any file may import the dashboard files outside of these folders. */
const mayImportOfDashboard: Record<string, string[]> = {
  intake: [],
  evidence: [],
  batches: ['intake', 'evidence'],
  monitors: ['intake', 'evidence'],
  comparison: ['batches', 'monitors', 'evidence'],
  history: ['batches', 'evidence'],
  account: ['batches', 'evidence'],
  'sign-in': [],
  people: ['sign-in'],
};
/** Files outside of these folders that may import them. */
const dashboardRoots = ['app.ts', 'home.ts'];

/** Files of `config` that all may import. `foldersWithConfig` may also import the others and `process/process.ts`. */
const openConfig = ['config/deadlines.ts', 'config/settings.ts'];
const foldersWithConfig = ['', 'config', 'process', 'server', 'worker', 'admin', 'local'];

/** Files of `db` that open their own transactions, and files that define how. Elsewhere the caller opens them. */
const openers = [
  'db/postgres/distribution.ts',
  'db/retention/expired-partitions.ts',
  'db/ledger/verification.ts',
  'db/migrate.ts',
  'db/retention/partitions.ts',
  'db/batches/request-ids.ts',
];
const howToOpen = ['db/postgres/connect.ts', 'db/accounts/open-account.ts'];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));

const toFolder = (file: string) => (file.includes('/') ? (file.split('/', 1)[0] ?? '') : '');
const product = files.filter((file) => !['test', 'bench', 'judge', 'client'].includes(toFolder(file)));

/** Returns every file of ours that a file imports, by its path from the root. */
function listImports(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const paths = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(
    ([, path]) => path ?? '',
  );
  return paths.map((path) => normalize(join(file, '..', path)));
}

const imports = new Map(product.map((file) => [file, listImports(file)]));

describe('the structure of the code', () => {
  it('has no import against the order of the folders', () => {
    const uphill = [...imports].flatMap(([file, imported]) =>
      imported.filter((other) => !isAllowed(file, other)).map((other) => `${file} imports ${other}`),
    );
    expect(uphill).to.deep.equal([]);
  });

  it('has no import against the order of the folders of the dashboard', () => {
    const uphill = [...imports].flatMap(([file, imported]) => {
      const from = placeInDashboard(file);
      if (!from || dashboardRoots.includes(from)) return [];
      const allowed = [from, ...(mayImportOfDashboard[from] ?? [])];
      return imported
        .map(placeInDashboard)
        .filter(
          (to) => to !== null && (to.endsWith('.ts') ? dashboardRoots.includes(to) : !allowed.includes(to)),
        )
        .map((to) => `${file} imports ${to}`);
    });
    expect(uphill).to.deep.equal([]);
  });

  it('has no import cycle, of values or of types', () => {
    expect(circles()).to.deep.equal([]);
  });

  it('reads the environment in entry points only', () => {
    const readers = product.filter((file) => /process\.env/.test(readFileSync(join(root, file), 'utf8')));
    // Child processes inherit the environment as it is.
    const heirs = ['local/embedded.ts'];
    const entryFile = /^(start|migrate)\.ts$|\/main\.ts$/;
    expect(readers.filter((file) => !entryFile.test(file) && !heirs.includes(file))).to.deep.equal([]);
  });

  it('opens transactions outside of the records, except in a few listed files', () => {
    const opens = /\b(transaction\(\)|(inTransaction|inSnapshot)[<(])/;
    const found = product.filter((file) => opens.test(readFileSync(join(root, file), 'utf8')));
    expect(found.filter((file) => toFolder(file) === 'db' && !howToOpen.includes(file))).to.have.members(
      openers,
    );
    expect(
      found.filter((file) => ['checks', 'net', 'schemas', 'wire'].includes(toFolder(file))),
    ).to.deep.equal([]);
  });

  it('opens transactions for requests only with the rights of the caller (db/accounts/open-account.ts)', () => {
    // Sign-in requires no right. A single check that has begun is settled without a check of rights.
    const others = /^server\/(dashboard\/sign-in\/|api\/single-check\.ts)/;
    const found = product.filter((file) => /^server\/(api|dashboard)\//.test(file) && !others.test(file));
    const opens = /(?<!\.)\binTransaction\(/;
    expect(found.filter((file) => opens.test(readFileSync(join(root, file), 'utf8')))).to.deep.equal([]);
  });
});

function isAllowed(file: string, other: string): boolean {
  const [from, to] = [toFolder(file), toFolder(other)];
  // The entry points at the root.
  if (from === '' || from === to || openConfig.includes(other)) return true;
  if (to === 'config' || other === 'process/process.ts') return foldersWithConfig.includes(from);
  return to === 'process' || (mayImport[from] ?? []).includes(to);
}

/** Returns the folder of a dashboard file, or its name outside of folders; null for any other file. */
function placeInDashboard(file: string): string | null {
  return /^server\/dashboard\/([^/]+)/.exec(file)?.[1] ?? null;
}

function circles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    const at = path.indexOf(file);
    if (at >= 0) return void found.push([...path.slice(at), file].join(' → '));
    if (done.has(file)) return;
    for (const other of imports.get(file) ?? []) visit(other, [...path, file]);
    done.add(file);
  };
  for (const file of product) visit(file, []);
  return found;
}
