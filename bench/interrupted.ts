/**
 * Makes what stops something do so once, whoever asks: at its own end or when somebody ends the bench in the middle of
 * it, which then waits for that.
 */
export function evenInterrupted(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | null = null;
  const once = () => {
    stopping ??= stop().finally(() => process.off('SIGINT', interrupted).off('SIGTERM', interrupted));
    return stopping;
  };
  const interrupted = () => void once().finally(() => process.exit(130));
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  return once;
}
