/** A problem that the operator can fix. The process prints `message` as one line and exits. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

export function formatSettingError(variable: string, problem: string, example: string): string {
  return `${variable} ${problem}. Example: ${variable}=${example}`;
}
