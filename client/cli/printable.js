// C0, C1, line and paragraph separators, and bidirectional controls.
const controls = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/** Replaces characters that could control the terminal or break the line. */
export function printable(text) {
  return String(text).replaceAll(controls, '\ufffd');
}

function printableLines(text) {
  return text.split('\n').map(printable).join('\n');
}

/** Returns JSON on one line. The control characters above are escaped. */
export function printableJson(value) {
  return JSON.stringify(value).replaceAll(
    controls,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Wraps an output stream. `line` writes any text as one line. `write` writes the program's own text, with line breaks.
 * `raw` is for terminal sequences and for text that is already printable.
 */
export function createPrinter(raw) {
  return {
    raw,
    isTTY: raw.isTTY,
    columns: raw.columns,
    line: (text) => raw.write(`${printable(text)}\n`),
    write: (text) => raw.write(printableLines(text)),
  };
}
