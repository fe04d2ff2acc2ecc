/** Ends what was started when somebody ends the bench in the middle of it. Answers how to let go of that. */
export function whenInterrupted(stop: () => Promise<void>): () => void {
  const interrupted = () => void stop().finally(() => process.exit(130));
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  return () => void process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
}
