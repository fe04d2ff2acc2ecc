import type { OptionsOf } from '../../schemas/check-types.ts';
import type { Engine } from '../engine.ts';
import type { HttpChecker } from './checker.ts';

/** Checks what addresses really answer. */
export function httpEngine(http: HttpChecker): Engine<'http'> {
  return {
    check: ({ input, options }, errand) => http.check({ url: input.url, ...chosen(options) }, errand),
    // Connections are reused within an account, and never beyond it.
    series: (options, errand) => {
      const series = http.series(errand);
      return {
        enter: ({ url }, mayNotStart) => series.enter(url, mayNotStart),
        check: ({ url }, slot) => series.check({ url: url.trim(), ...chosen(options) }, slot),
        leaveAlone: ({ url }, afterSeconds) => series.leaveAlone(url, afterSeconds),
        close: () => series.close(),
      };
    },
  };
}

/** The options of a request with their defaults. */
function chosen({
  follow_redirects: followRedirects = true,
  user_agent: userAgent = 'sonde',
}: OptionsOf<'http'>) {
  return { followRedirects, userAgent };
}
