import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { openApiDocument } from './openapi.ts';

/** Writes the OpenAPI document for the linter: `node schemas/write-openapi.ts <file>`. */
const [file = '.data/openapi.json'] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const document = openApiDocument({ baseUrl: 'http://localhost:3000', version });
mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
