import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openApiDocument, operations } from '../../schemas/openapi.ts';
import { afterTest } from '../support/after-test.ts';

const run = promisify(execFile);
// The generator needs the TypeScript of its own package.
const generator = createRequire(new URL('../../client/generate/build.js', import.meta.url)).resolve(
  'openapi-typescript',
);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Type narrowing that users may rely on; each line fails to compile without it. */
const narrowed = `
import { Sonde, type ActivityEntry, type WebhookPayload } from '@sonde/client';
import type { components } from '@sonde/client/openapi';
export async function narrow(sonde: Sonde, payload: WebhookPayload, entry: ActivityEntry): Promise<string> {
  const one = await sonde.submit('keyword', [{ url: 'a.example', keyword: 'a' }]);
  // @ts-expect-error one query has no batch
  one.batch_id;
  const two = { url: 'a.example', keyword: 'a' };
  const id: string = (await sonde.submit('keyword', [two, two])).batch_id;
  const batch: components['schemas']['Batch'] = await sonde.batch(id);
  if (batch.waiting) return batch.waiting.until;
  for await (const result of sonde.results(id)) {
    if (result.state === 'failed') return result.message;
    if ('is_indexed' in result) return String(result.is_indexed satisfies boolean);
    if ('rank' in result) return String(result.rank satisfies number | null);
    return String(result.status satisfies number);
  }
  if (payload.event === 'credits.low') return String(payload.credits);
  return entry.sentence;
}
`;

/** Returns the types of the current document, and every example of a request as code of its type. */
async function readContract(): Promise<{ types: string; requests: string }> {
  const { default: module, astToString } = await import(generator);
  const openapiTS = module.default ?? module;
  const document = JSON.stringify(openApiDocument({ baseUrl: 'http://localhost:3000', version: '0' }));
  let count = 0;
  const requests = operations.flatMap(({ path, method, body }) =>
    Object.values(body?.examples ?? {}).map(
      (example) =>
        `export const _${count++}: NonNullable<paths['${path}']['${method}']['requestBody']>` +
        `['content']['application/json'] = ${JSON.stringify(example)};`,
    ),
  );
  expect(requests.length).to.be.greaterThan(20);
  return {
    types: astToString(await openapiTS(document)),
    requests: [`import type { paths } from './openapi.d.ts';`, ...requests].join('\n'),
  };
}

describe('the packed client', () => {
  it('compiles in a strict project that checks its types, with the samples of its README and every example of a request', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sonde-packed-'));
    afterTest(() => rm(folder, { recursive: true }));
    await run('npm', ['pack', '--pack-destination', folder, '--ignore-scripts'], {
      cwd: join(root, 'client'),
    });
    const [packed = ''] = await readdir(folder);
    await run('tar', ['xzf', packed], { cwd: folder });
    await mkdir(join(folder, 'node_modules/@sonde'), { recursive: true });
    await rename(join(folder, 'package'), join(folder, 'node_modules/@sonde/client'));
    const readme = await readFile(join(folder, 'node_modules/@sonde/client/README.md'), 'utf8');
    const samples = [...readme.matchAll(/^```(?:js|ts)\n(.*?)^```/gms)].map(([, code]) => code);
    expect(samples.length).to.be.greaterThan(3);
    const compilerOptions = {
      ...{
        strict: true,
        skipLibCheck: false,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
      },
      ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], noEmit: true },
      ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    };
    const files = ['samples.ts', 'narrowed.ts', 'requests.ts'];
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    // The samples are joined, because some use the results of earlier samples.
    await writeFile(join(folder, 'samples.ts'), samples.join('\n'));
    await writeFile(join(folder, 'narrowed.ts'), narrowed);
    // The examples omit fields that have a default, so the types must make these fields optional.
    const { types, requests } = await readContract();
    await writeFile(join(folder, 'openapi.d.ts'), types);
    await writeFile(join(folder, 'requests.ts'), requests);
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error);
    expect(stdout).to.equal('');
  });
});
