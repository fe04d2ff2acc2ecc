const shownMax = 20;

export const invalidRemedy = 'Correct them, or skip them with --skip-invalid.';

/**
 * If an error of the service is about entries of a list, sets `lines` of the error. They contain the messages with the
 * line numbers of the file, and `remedy`. Other errors do not change. Returns the error.
 */
export function withLineNumbers(error, lines, remedy) {
  const faults = Object.entries(error.body?.errors ?? {}).map(([path, messages]) =>
    formatFault(path, messages, lines),
  );
  if (faults.length === 0 || faults.includes(null)) return error;
  error.lines = ['These lines are invalid:', ...listFaults(faults), ...(remedy ? [remedy] : [])];
  return error;
}

/** Returns the first faults as indented lines. */
export function listFaults(faults) {
  const more = faults.length > shownMax ? [`and ${faults.length - shownMax} more`] : [];
  return [...faults.slice(0, shownMax), ...more].map((line) => `  ${line}`);
}

function formatFault(path, [message], lines) {
  const [, index, , field = ''] = /^(?:urls|queries)\.(\d+)(\.([\w.]+))?$/.exec(path) ?? [];
  if (index === undefined) return null;
  const name = field.replace(/^url$/, 'site').replace(/\.\d+$/, '');
  return `line ${lines[Number(index)]}${name && `, ${name}`}: ${message}`;
}
