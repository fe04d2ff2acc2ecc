import type { Socket } from 'node:net';

// One final response in the form that RFC 9112 prescribes: no line that ends in LF alone, no folded line, no control
// character, no interim response before it.
const strictHead =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it excludes them
  /^HTTP\/1\.[01] [2-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:[^\x00-\x20:\x7f]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n/;

const headEnd = '\r\n\r\n';

/**
 * Records what comes first on a connection. The function it returns ends that, and returns whether this was something
 * other than one strictly written response head of at most `bytesMax` bytes.
 */
export function recordHead(socket: Socket, bytesMax: number): () => boolean {
  let start: Buffer | null = null;
  const record = (part: Buffer) => {
    if (!start) start = part;
    else if (start.length <= bytesMax) start = Buffer.concat([start, part]);
  };
  // Before the HTTP parser, which emits the response while it reads the last bytes of the head.
  socket.prependListener('data', record);
  return () => {
    socket.off('data', record);
    const end = start ? start.indexOf(headEnd, 0, 'latin1') : -1;
    return !start || end < 0 || !strictHead.test(start.toString('latin1', 0, end + headEnd.length));
  };
}
