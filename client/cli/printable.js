// C0 and C1, separators of lines and paragraphs, and what changes the order of the text around.
const controls = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/** A text on one line that cannot steer a terminal. */
export function printable(text) {
  return String(text).replaceAll(controls, '\ufffd');
}

function printableLines(text) {
  return text.split('\n').map(printable).join('\n');
}

/** JSON on one line, in which such characters are escaped. */
export function printableJson(value) {
  return JSON.stringify(value).replaceAll(
    controls,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * A stream to which commands write: `line` whatever it is given on one line, `write` text of our own on several. `raw`
 * takes what was made printable before, and sequences for the terminal.
 */
export function printing(raw) {
  return {
    raw,
    isTTY: raw.isTTY,
    columns: raw.columns,
    line: (text) => raw.write(`${printable(text)}\n`),
    write: (text) => raw.write(printableLines(text)),
  };
}
