import { runAdminCommand } from './tool.ts';

process.exitCode = await runAdminCommand(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
