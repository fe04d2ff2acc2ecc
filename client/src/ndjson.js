/** The lines of a stream of bytes that are not empty. */
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
    // A caller that stops in the middle closes the connection, too.
    await reader.cancel().catch(() => {});
  }
}
