import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { backendEnv, borrowEmptyDatabase } from './support/postgres.ts';
import { environmentOf } from './support/processes.ts';
import { secretKey } from './support/service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('a process that starts before npm run migrate', () => {
  for (const entry of ['server/main.ts', 'worker/main.ts']) {
    it(`ends with one line that names the command: ${entry}`, async () => {
      const { url, giveBack } = await borrowEmptyDatabase();
      const env = { DATABASE_URL: url, ...backendEnv, SECRET_KEY: secretKey, SERP_PROVIDERS: 'sandbox' };
      const child = spawn(process.execPath, [entry], {
        cwd: root,
        env: environmentOf({ ...env, PORT: '0', LOG_LEVEL: 'error' }),
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part) => {
          output += part;
        });
      const [code] = await once(child, 'close');
      expect(output).to.equal('The database is not set up for this version. Run npm run migrate first.\n');
      expect(code).to.equal(1);
      await giveBack();
    });
  }
});
