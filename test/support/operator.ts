import { Readable } from 'node:stream';
import { runAdminCommand } from '../../admin/main.ts';
import type { TestService } from './service.ts';

/** Runs an admin command on a service's database, with a standard input. */
export async function runAdmin({ env }: Pick<TestService, 'env'>, args: string[], input = '') {
  let [out, err] = ['', ''];
  const code = await runAdminCommand(args, {
    env,
    input: Readable.from([input]),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  const isJson = args.includes('--json') && /^[{[]/.test(out);
  // biome-ignore lint/suspicious/noExplicitAny: commands print JSON of every shape
  return { code, out, err, json: (isJson ? JSON.parse(out) : {}) as any };
}
