import type { EngineDeps } from '../../../checks/engines.ts';
import type { LengthAnswer } from './schema.ts';

interface Options {
  limit?: number;
}

/** Measures the length of URLs without a request. */
export function lengthEngine({ slots }: EngineDeps) {
  const measure = (url: string, { limit = 30 }: Options) => {
    const length = url.trim().length;
    const answer: LengthAnswer = { length, is_long: length > limit };
    return Promise.resolve({
      state: 'success' as const,
      answer,
      tally: [answer.is_long ? 'long' : 'short'],
      recheck: null,
    });
  };
  return {
    check: ({ input, options }: { input: { url: string }; options: Options }) => measure(input.url, options),
    startChunk: (options: Options, { accountId }: { accountId: number }) => ({
      prepare: ({ url }: { url: string }) => ({
        acquireSlot: (signal: AbortSignal) => slots.acquire({ accountId, host: null, signal }),
        attempt: () => measure(url, options),
      }),
      close: () => {},
    }),
  };
}
