import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from '../../schemas/openapi.ts';

// Without a version of its own, so that a release alone changes nothing here.
const document = openApiDocument({ baseUrl: 'http://localhost:3000', version: '0.0.0' });
const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex');
const types = astToString(await openapiTS(JSON.stringify(document), { defaultNonNullable: false }));
const head = `/** Made by client/generate of the OpenAPI document with the SHA-256 ${hash}. */\n\n`;
writeFileSync(process.argv[2] ?? new URL('../openapi.d.ts', import.meta.url), head + types);
