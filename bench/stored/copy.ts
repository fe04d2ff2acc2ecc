import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** What a statement of pg's own is to us while it takes in rows; its types do not tell. */
interface CopyConnection {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(bytes: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(why: string): void;
}

/** Nobody holds more than this of what the server has not taken yet. */
const bytesAtOnce = 256 * 1024;

/** A field as COPY reads it; nothing here has a tab, a line break or a backslash in it. */
export type Field = string | number | null;

/** A row as COPY reads it. */
export function line(...fields: Field[]): string {
  let text = '';
  for (const field of fields) text += text === '' ? (field ?? '\\N') : `\t${field ?? '\\N'}`;
  return `${text}\n`;
}

/** Has a table take in lines by COPY, as fast as it does. Errors: the database's own. */
export function copyInto(
  client: pg.Client,
  table: string,
  columns: string[],
  lines: Iterable<string>,
  options = '',
): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query({
      submit: (connection: unknown) =>
        (connection as CopyConnection).query(`copy ${table} (${columns.join(', ')}) from stdin ${options}`),
      handleCopyInResponse: (connection: CopyConnection) =>
        void send(connection, lines).catch((error) => connection.sendCopyFail(String(error))),
      handleError: reject,
      handleReadyForQuery: () => resolve(),
      handleCommandComplete: () => {},
    } as unknown as pg.Submittable);
  });
}

async function send(connection: CopyConnection, lines: Iterable<string>): Promise<void> {
  let text = '';
  for (const one of lines) {
    text += one;
    if (text.length < bytesAtOnce) continue;
    connection.sendCopyFromChunk(Buffer.from(text));
    text = '';
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
  }
  connection.sendCopyFromChunk(Buffer.from(text));
  connection.endCopyFrom();
}
