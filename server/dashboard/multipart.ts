import { nextTurn } from '../http/loop-turns.ts';

// Several times the fields that any page of ours has; a name of a file is 765 bytes at most.
const partsMax = 100;
const headBytesMax = 1024;

/**
 * The fields of a multipart body, read in a turn of the account. Null when it is none, and when it has more parts or a
 * longer head of one than our pages send: 8 MiB of those hold the event loop for a second or two.
 */
export async function readMultipart(
  bytes: Buffer<ArrayBuffer>,
  { contentType, accountId }: { contentType: string; accountId: number },
): Promise<FormData | null> {
  const [, boundary] = /;\s*boundary="?([\w'-]{1,70})"?\s*(?:;|$)/i.exec(contentType) ?? [];
  if (!boundary || !isPlain(bytes, `--${boundary}`)) return null;
  await nextTurn(accountId);
  // Named anew, so that it is taken apart at the boundary that was looked at.
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  const fields = await new Response(bytes, { headers }).formData().catch(() => null);
  await nextTurn(accountId);
  return fields;
}

function isPlain(bytes: Buffer, delimiter: string): boolean {
  let at = bytes.indexOf(delimiter);
  for (let parts = 0; at !== -1; parts++) {
    const head = bytes.subarray(at + delimiter.length, at + delimiter.length + headBytesMax);
    const isLast = head.toString('latin1', 0, 2) === '--';
    if (parts > partsMax || !(isLast || head.includes('\r\n\r\n'))) return false;
    at = bytes.indexOf(delimiter, at + delimiter.length);
  }
  return true;
}
