/** Why a list cannot be read at all; the message is for whoever brought it. */
export class ListError extends Error {
    name = 'ListError';
}
