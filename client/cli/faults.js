const shownMax = 20;

/**
 * An error with `lines` that name lines of a file where the service names entries of a list, and end with what may be
 * done about them; others as they are.
 */
export function inLines(error, lines, remedy) {
  const faults = Object.entries(error.body?.errors ?? {}).map(([path, messages]) =>
    faultOf(path, messages, lines),
  );
  if (faults.length === 0 || faults.includes(null)) return error;
  const more = faults.length > shownMax ? [`and ${faults.length - shownMax} more`] : [];
  const shown = [...faults.slice(0, shownMax), ...more].map((line) => `  ${line}`);
  error.lines = ['These lines do not fit:', ...shown, ...(remedy ? [remedy] : [])];
  return error;
}

function faultOf(path, [message], lines) {
  const [, index, , field = ''] = /^(?:urls|queries)\.(\d+)(\.([\w.]+))?$/.exec(path) ?? [];
  if (index === undefined) return null;
  const name = field.replace(/^url$/, 'site').replace(/\.\d+$/, '');
  return `line ${lines[Number(index)]}${name && `, ${name}`}: ${message}`;
}
