/** Counts the calls of `URL.parse` during `act`, and their characters. */
export function countParses(act: () => void): { parses: number; characters: number } {
  const { parse } = URL;
  const count = { parses: 0, characters: 0 };
  URL.parse = (address, base) => {
    count.parses += 1;
    count.characters += String(address).length;
    return parse.call(URL, address, base);
  };
  try {
    act();
  } finally {
    URL.parse = parse;
  }
  return count;
}
