/** Encodes a text in a legacy charset with one or two bytes a character, by inverting Node's decoder. */
export function encode(text: string, charset: string): Buffer {
  const codes = readCodes(charset);
  return Buffer.concat([...text].map((char) => codes.get(char) ?? Buffer.from('?')));
}

const known = new Map<string, Map<string, Buffer>>();

function readCodes(charset: string): ReadonlyMap<string, Buffer> {
  const codes = known.get(charset) ?? new Map<string, Buffer>();
  if (known.has(charset)) return codes;
  const decoder = new TextDecoder(charset);
  const add = (...bytes: number[]) => {
    const code = Buffer.from(bytes);
    const text = decoder.decode(code);
    if ([...text].length === 1 && text !== '\ufffd' && !codes.has(text)) codes.set(text, code);
  };
  for (let byte = 0; byte < 256; byte++) add(byte);
  for (let first = 0x81; first < 0xff; first++)
    for (let second = 0x40; second < 0xff; second++) add(first, second);
  known.set(charset, codes);
  return codes;
}
