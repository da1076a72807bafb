/** The operating system takes at most so many pieces at a time. */
const maxPieces = 1024;

/** The part of a file that is needed here. */
export interface WritableFile {
  writev(buffers: readonly Buffer[], position: number): Promise<{ readonly bytesWritten: number }>;
}

/** Writes buffers to a file one after the other, from `start` on. Rejects when not all of it could be written. */
export async function writeWhole(file: WritableFile, frames: readonly Buffer[], start: number): Promise<void> {
  let at = start;
  for (let i = 0; i < frames.length; i += maxPieces) {
    let pieces = frames.slice(i, i + maxPieces);
    while (pieces.length > 0) {
      const { bytesWritten } = await file.writev(pieces, at);
      at += bytesWritten;
      pieces = withoutFirst(pieces, bytesWritten);
    }
  }
}

/** A disk that fills up takes a part, and refuses the rest. */
function withoutFirst(pieces: readonly Buffer[], bytes: number): Buffer[] {
  let left = bytes;
  let first = 0;
  for (let piece = pieces[0]; piece !== undefined && left >= piece.length; piece = pieces[first]) {
    left -= piece.length;
    first++;
  }
  const [partial, ...rest] = pieces.slice(first);
  return partial === undefined ? [] : [partial.subarray(left), ...rest];
}
