import type { Engine } from '../engine.ts';
import type { HttpChecker } from './checker.ts';

/** Checks what addresses really answer. */
export function httpEngine(http: HttpChecker): Engine<'http'> {
  return {
    check: ({ input, options }, errand) =>
      http.check({ url: input.url, followRedirects: options.follow_redirects ?? true }, errand),
    // Connections are reused within a chunk, which is one account's, and never beyond it.
    series: (options, errand) => {
      const series = http.series(errand);
      const followRedirects = options.follow_redirects ?? true;
      return {
        enter: ({ url }, mayNotStart) => series.enter(url, mayNotStart),
        check: ({ url }) => series.check({ url: url.trim(), followRedirects }),
        leaveAlone: ({ url }, afterSeconds) => series.leaveAlone(url, afterSeconds),
        close: () => series.close(),
      };
    },
  };
}
