/** The default for the size in bytes that one line may have: more than any event of a watch. */
const defaultMaxLineBytes = 16 * 1024 * 1024;

/**
 * Returns a function that takes pieces of bytes and calls `onLine` with each whole line. Empty lines are left out. The function
 * throws an Error when a line is longer than `maxLineBytes`.
 */
export function splitLines(
  onLine: (line: string) => void,
  maxLineBytes: number = defaultMaxLineBytes,
): (piece: Buffer) => void {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const keep = (part: Buffer): void => {
    pendingBytes += part.length;
    if (pendingBytes > maxLineBytes) {
      throw new Error(`a line is longer than ${maxLineBytes} bytes`);
    }
    pending.push(part);
  };
  return (piece) => {
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      keep(piece.subarray(start, end));
      const line = Buffer.concat(pending).toString("utf8");
      pending = [];
      pendingBytes = 0;
      start = end + 1;
      if (line.trim() !== "") {
        onLine(line);
      }
    }
    if (start < piece.length) {
      keep(piece.subarray(start));
    }
  };
}
