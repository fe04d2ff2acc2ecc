import { operate } from './tool.ts';

process.exitCode = await operate(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
