/** Returns a function that takes pieces of bytes and calls `onLine` with each whole line. Empty lines are left out. */
export function splitLines(onLine: (line: string) => void): (piece: Buffer) => void {
  let pending: Buffer[] = [];
  return (piece) => {
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      pending.push(piece.subarray(start, end));
      const line = Buffer.concat(pending).toString("utf8");
      pending = [];
      start = end + 1;
      if (line.trim() !== "") {
        onLine(line);
      }
    }
    if (start < piece.length) {
      pending.push(piece.subarray(start));
    }
  };
}
