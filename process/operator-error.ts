/** Something the operator can put right: `message` is the one line that ends the process. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/** What is wrong with a setting, and how it could look. */
export function settingProblem(variable: string, problem: string, example: string): string {
  return `${variable} ${problem}, for example ${variable}=${example}`;
}
