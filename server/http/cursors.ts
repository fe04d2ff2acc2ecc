import { crc32 } from 'node:zlib';

/**
 * Converts a position in a list to an opaque text and back. `read` returns null for an invalid text, and for a cursor
 * of another list. `write` also accepts a row of the list, and ignores its other fields.
 */
export interface Cursor<Position> {
  write(position: Position): string;
  read(text: string): Position | null;
}

interface Field<T> {
  pattern: string;
  write(value: T): string;
  read(text: string): T;
}

const time: Field<Date> = {
  pattern: '-?\\d{1,15}',
  write: (date) => String(date.getTime()),
  read: (text) => new Date(Number(text)),
};
const number: Field<number> = { pattern: '\\d{1,15}', write: String, read: Number };
const place: Field<number> = { ...number, pattern: '\\d{1,6}' };
const uuid: Field<string> = {
  pattern: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  write: String,
  read: String,
};

// Each cursor has the fields by which its list is sorted.
export const batchCursor = createCursor('batches', { createdAt: time, batchId: uuid });
export const monitorCursor = createCursor('monitors', { createdAt: time, monitorId: uuid });
export const deliveryCursor = createCursor('deliveries', { createdAt: time, eventId: uuid });
export const runCursor = createCursor('runs', { createdAt: time, runId: uuid });
export const checkCursor = createCursor('checks', { checkedAt: time, requestId: number });
export const activityCursor = createCursor('activity', { notedAt: time, activityId: number });
export const entryCursor = createCursor('entries', { entryNo: number });
export const changeCursor = createCursor('changes', { changeId: number });
export const subjectCursor = createCursor('subjects', { position: place, subjectId: number });
export const annotationCursor = createCursor('annotations', { at: time, annotationId: number });
export const tallyCursor = createCursor('tallies', { at: time, runId: uuid });

function createCursor<Position extends object>(
  list: string,
  fields: { [Name in keyof Position]: Field<Position[Name]> },
): Cursor<Position> {
  const named = Object.entries(fields) as Array<[keyof Position, Field<Position[keyof Position]>]>;
  const pattern = new RegExp(`^${named.map(([, field]) => `(${field.pattern})`).join(' ')}$`);
  // The checksum detects a mistyped cursor. Without it, such a cursor could be valid for another position.
  const seal = (text: string) =>
    Buffer.from(`${crc32(`${list} ${text}`).toString(36)} ${text}`).toString('base64url');
  return {
    write: (position) => seal(named.map(([name, field]) => field.write(position[name])).join(' ')),
    read: (text) => {
      const sealed = Buffer.from(text, 'base64url').toString();
      const position = sealed.slice(sealed.indexOf(' ') + 1);
      const parts = seal(position) === text ? pattern.exec(position) : null;
      if (!parts) return null;
      return Object.fromEntries(
        named.map(([name, field], index) => [name, field.read(parts[index + 1] ?? '')]),
      ) as Position;
    },
  };
}
