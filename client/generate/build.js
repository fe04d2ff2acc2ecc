/**
 * Generates the uncommitted parts of the client: `client/lists/` from `lists/`, `client/net/` from `net/`, and
 * `client/openapi.d.ts` from the OpenAPI document. With `--pack`, also `client/sonde-client.tgz`, which the service
 * offers for installation. Runs after `npm install` and, with `--required`, before `npm pack`. This folder is a package
 * of its own because openapi-typescript needs TypeScript 5.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { resolve } = createRequire(import.meta.url);

if (canBuild()) {
  // The compiler does not delete the output of deleted files.
  for (const folder of ['lists', 'net'])
    await rm(`${root}/client/${folder}`, { recursive: true, force: true });
  execFileSync(`${root}/node_modules/.bin/tsc`, ['-p', `${root}/client/generate/lists.json`], {
    stdio: 'inherit',
  });
  await writeFile(`${root}/client/openapi.d.ts`, await openApiTypes());
  if (process.argv.includes('--pack')) await pack();
} else if (process.argv.includes('--required')) {
  process.stderr.write(
    'The client cannot be built without its tools. Run npm ci in the root of the project.\n',
  );
  process.exitCode = 1;
}

/** A production image has no build tools and does not need the client. */
function canBuild() {
  try {
    resolve('openapi-typescript');
    return existsSync(`${root}/node_modules/.bin/tsc`) && existsSync(`${root}/lists`);
  } catch {
    return false;
  }
}

async function pack() {
  const cwd = `${root}/client`;
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error'];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd, encoding: 'utf8' }));
  await rename(`${cwd}/${filename}`, `${cwd}/sonde-client.tgz`);
}

async function openApiTypes() {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const { openApiDocument } = await import('../../schemas/openapi.ts');
  const document = openApiDocument({ baseUrl: 'http://localhost:3000', version: '0.0.0' });
  return astToString(await openapiTS(JSON.stringify(document)));
}
