import { type Behaviour, html, ok } from './speak.ts';

const mebibyte = 1024 * 1024;
/** Repeats a pattern up to the size limit of a page. */
const full = (pattern: string) => pattern.repeat(Math.floor(mebibyte / pattern.length));
const serve =
  (body: string): Behaviour =>
  (socket) =>
    ok(socket, html, body);

/** Pages with status 200 that keep a reader busy, each up to 1 MiB. */
export const pages = {
  'deep-elements': serve(`${'<div>'.repeat(90_000)}${'</div>'.repeat(90_000)}`),
  'same-attributes': serve(`<a ${full('b=c ')}>`),
  'nested-tables': serve(full('<table><tr><td>')),
  'nested-formatting': serve(full('<b><i><a>')),
  'nested-templates': serve(full('<template>')),
  'entity-without-end': serve(`&${full('a')}`),
  'number-without-end': serve(`&#x${full('0')}`),
  'one-word': serve(full('x')),
  'wide-letters': serve(`<title>𝟒𝟎𝟒</title>${'𝒏𝒐𝒕 𝒇𝒐𝒖𝒏𝒅 '.repeat(10_000)}`),
  'combining-marks': serve(`<p>e${full('\u0301')}`),
  'meta-refresh': serve(
    '<meta http-equiv="refresh" content="0;url=http://169.254.169.254/"><title>Fine</title>',
  ),
  'script-redirect': serve('<script>location="http://169.254.169.254/"</script><title>Fine</title>'),
  'refresh-header': (socket) => ok(socket, `${html}Refresh: 0;url=http://169.254.169.254/\r\n`),
  'base-elsewhere': serve(
    '<base href="http://169.254.169.254/"><link rel=canonical href="/x"><title>Fine</title>',
  ),
} as const satisfies Record<string, Behaviour>;
