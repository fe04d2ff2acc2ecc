/** Header lines of a response as Node received them. */
export class ResponseHeaders {
  readonly #lines: readonly string[];

  /** Takes alternating names and values, such as `IncomingMessage.rawHeaders`. */
  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /**
   * Returns the values of a header, joined with commas. Returns null if the header is missing. `name` is in lower case.
   */
  get(name: string): string | null {
    const values = this.getAll(name);
    return values.length === 0 ? null : values.join(', ');
  }

  /**
   * Returns the value of each line of a header. `name` is in lower case. Control characters are percent-encoded, as in
   * a URL.
   */
  getAll(name: string): string[] {
    const values: string[] = [];
    for (let index = 0; index < this.#lines.length; index += 2) {
      const [lineName = '', value = ''] = [this.#lines[index], this.#lines[index + 1]];
      if (isNamed(lineName, name)) values.push(value.replaceAll(controlCharacters, encodeURIComponent));
    }
    return values;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this finds control characters
const controlCharacters = /[\x00-\x08\x0a-\x1f\x7f]/g;

// Node's lenient parser (`insecureHTTPParser`) accepts spaces after header names such as `Content-Length`. Lengths are
// compared first, because this is fast and a server can send thousands of headers.
function isNamed(lineName: string, name: string): boolean {
  if (lineName.length !== name.length && !/[\t ]/.test(lineName.charAt(name.length))) return false;
  return lineName.trimEnd().toLowerCase() === name;
}
