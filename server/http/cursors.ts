import { crc32 } from 'node:zlib';

/**
 * Converts a position in a list to an opaque text and back. `read` returns null for an invalid text. A row of the list
 * can be passed as its own position.
 */
export interface Cursor<Position> {
  write(position: Position): string;
  read(text: string): Position | null;
}

/** For lists ordered by `createdAt` and `batchId`, both descending. */
export const batchCursor: Cursor<{ createdAt: Date; batchId: string }> = {
  write: ({ createdAt, batchId }) => seal(`${createdAt.getTime()} ${batchId}`),
  read: (text) => {
    const [, ms, batchId] = open(text, /^(\d{1,13}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/);
    return ms && batchId ? { createdAt: new Date(Number(ms)), batchId } : null;
  },
};

/** For lists ordered by `createdAt` and `monitorId`, both descending. */
export const monitorCursor: Cursor<{ createdAt: Date; monitorId: string }> = {
  write: ({ createdAt, monitorId }) => batchCursor.write({ createdAt, batchId: monitorId }),
  read: (text) => {
    const position = batchCursor.read(text);
    return position && { createdAt: position.createdAt, monitorId: position.batchId };
  },
};

/** For deliveries, ordered by `createdAt` and `eventId`, both descending. */
export const deliveryCursor: Cursor<{ createdAt: Date; eventId: string }> = {
  write: ({ createdAt, eventId }) => batchCursor.write({ createdAt, batchId: eventId }),
  read: (text) => {
    const position = batchCursor.read(text);
    return position && { createdAt: position.createdAt, eventId: position.batchId };
  },
};

/** For lists ordered by `createdAt` and `runId`, both descending. */
export const runCursor: Cursor<{ createdAt: Date; runId: string }> = {
  write: ({ createdAt, runId }) => batchCursor.write({ createdAt, batchId: runId }),
  read: (text) => {
    const position = batchCursor.read(text);
    return position && { createdAt: position.createdAt, runId: position.batchId };
  },
};

/** For lists ordered by `checkedAt` and `requestId`, both descending. */
export const checkCursor: Cursor<{ checkedAt: Date; requestId: number }> = {
  write: ({ checkedAt, requestId }) => seal(`${checkedAt.getTime()} ${requestId}`),
  read: (text) => {
    const [, ms, requestId] = open(text, /^(\d{1,13}) (\d{1,15})$/);
    return ms && requestId ? { checkedAt: new Date(Number(ms)), requestId: Number(requestId) } : null;
  },
};

/** For activity, ordered by `notedAt` and `activityId`, both descending. */
export const activityCursor: Cursor<{ notedAt: Date; activityId: number }> = {
  write: ({ notedAt, activityId }) => seal(`${notedAt.getTime()} ${activityId}`),
  read: (text) => {
    const [, ms, activityId] = open(text, /^(\d{1,13}) (\d{1,15})$/);
    return ms && activityId ? { notedAt: new Date(Number(ms)), activityId: Number(activityId) } : null;
  },
};

/** For the ledger, ordered by entry number. */
export const entryCursor: Cursor<{ entryNo: number }> = {
  write: ({ entryNo }) => seal(String(entryNo)),
  read: (text) => {
    const [, entryNo] = open(text, /^(\d{1,15})$/);
    return entryNo ? { entryNo: Number(entryNo) } : null;
  },
};

/** For changes, ordered by number. */
export const changeCursor: Cursor<{ changeId: number }> = {
  write: ({ changeId }) => seal(`c${changeId}`),
  read: (text) => {
    const [, changeId] = open(text, /^c(\d{1,15})$/);
    return changeId ? { changeId: Number(changeId) } : null;
  },
};

/** For the subjects of monitors, in the order of their lists. */
export const subjectCursor: Cursor<{ position: number; subjectId: number }> = {
  write: ({ position, subjectId }) => seal(`${position} ${subjectId} s`),
  read: (text) => {
    const [, position, subjectId] = open(text, /^(\d{1,6}) (\d{1,15}) s$/);
    return position && subjectId ? { position: Number(position), subjectId: Number(subjectId) } : null;
  },
};

/** For annotations, ordered by `at`. */
export const annotationCursor: Cursor<{ at: Date; annotationId: number }> = {
  write: ({ at, annotationId }) => seal(`${at.getTime()} ${annotationId} a`),
  read: (text) => {
    const [, ms, annotationId] = open(text, /^(-?\d{1,15}) (\d{1,15}) a$/);
    return ms && annotationId ? { at: new Date(Number(ms)), annotationId: Number(annotationId) } : null;
  },
};

/** For tallies of runs, ordered by the start of the run. */
export const tallyCursor: Cursor<{ at: Date; runId: string }> = {
  write: ({ at, runId }) => seal(`${at.getTime()} ${runId} t`),
  read: (text) => {
    const [, ms, runId] = open(text, /^(\d{1,13}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) t$/);
    return ms && runId ? { at: new Date(Number(ms)), runId } : null;
  },
};

// The checksum detects a mistyped cursor. Without it, such a cursor could be valid for another position.
function seal(position: string): string {
  return Buffer.from(`${checksum(position)} ${position}`).toString('base64url');
}

function open(text: string, pattern: RegExp): string[] {
  const sealed = Buffer.from(text, 'base64url').toString();
  const position = sealed.slice(sealed.indexOf(' ') + 1);
  return seal(position) === text ? [...(pattern.exec(position) ?? [])] : [];
}

function checksum(position: string): string {
  return crc32(position).toString(36);
}
