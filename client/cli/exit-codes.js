export const exitCodes = {
  good: 0,
  findings: 1,
  usage: 2,
  authentication: 3,
  credits: 4,
  noAnswer: 5,
  question: 6,
  internal: 70,
  interrupted: 130,
};

/** Error for wrong arguments, or for a file that cannot be read. */
export class UsageError extends Error {}

/**
 * Returns an error for a file that cannot be read or written. `code` is the error code of the system, such as ENOENT.
 */
export function toFileError(file, action, code) {
  if (code === 'ENOENT')
    return new UsageError(
      action === 'read' ? `${file} does not exist.` : `The folder of ${file} does not exist.`,
    );
  if (code === 'EACCES' || code === 'EPERM')
    return new UsageError(`You have no permission to ${action} ${file}.`);
  return new UsageError(`Could not ${action} ${file} (${code}).`);
}

/** A file that can be read in several ways. `lines` name the options that decide. */
export class QuestionError extends UsageError {
  constructor(lines) {
    super(lines[0]);
    this.lines = lines;
  }
}

/** Returns the exit code of an error. Returns null for a bug. */
export function toExitCode(error) {
  if (error instanceof QuestionError) return exitCodes.question;
  if (error instanceof UsageError) return exitCodes.usage;
  if (error?.name !== 'SondeError') return null;
  if (error.status === 401) return exitCodes.authentication;
  if (error.status === 402) return exitCodes.credits;
  return error.status >= 400 && error.status < 429 ? exitCodes.usage : exitCodes.noAnswer;
}
