const rowBytes = 512;

/** How many rows it weighs like to keep these inputs: one for each that is begun of 512 bytes of JSON. */
export function keptRows(inputs: readonly object[]): number {
  return inputs.reduce(
    (rows, input) => rows + Math.ceil(Buffer.byteLength(JSON.stringify(input)) / rowBytes),
    0,
  );
}
