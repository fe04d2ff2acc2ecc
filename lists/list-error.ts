/** A list that cannot be read. The message is for the user. */
export class ListError extends Error {
  override name = 'ListError';
}
