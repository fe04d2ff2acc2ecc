/** Yields the lines of a byte stream. Skips empty lines. */
export async function* readLines(stream) {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split('\n');
      rest = done ? '' : lines.pop();
      yield* lines.filter((line) => line !== '');
      if (done) return;
    }
  } finally {
    // Closes the connection if the caller stops early.
    await reader.cancel().catch(() => {});
  }
}
