import { open } from "node:fs/promises";
import { findFrame } from "./find-frame.js";
import { decodeIndex } from "./frame.js";
import { FrameScanner } from "./frame-scanner.js";
import type { BatchIndex } from "./log-batch.js";
import type { ReadableLog } from "./log-reader.js";
import { segmentHeadBytes, segmentPath } from "./segment.js";

/**
 * The indexes of the batches with events at a position or after it, up to the end that the log has now: a tenth of the
 * bytes of the events. Batches that are damaged are left out. Nothing of the log may be deleted meanwhile.
 */
export async function* readIndexes(log: ReadableLog, from: number): AsyncGenerator<BatchIndex, void> {
  const segments = log.lastSegment === undefined ? [] : [...log.closedSegments, log.lastSegment];
  for (const { firstPosition, endPosition, bytes } of segments) {
    if (endPosition <= from) {
      continue;
    }
    const file = await open(segmentPath(log.directory, firstPosition), "r");
    try {
      let scanner = new FrameScanner(file, segmentHeadBytes);
      let expected = firstPosition;
      while (scanner.offset < bytes) {
        const { offset } = scanner;
        const frame = await scanner.nextIndex(bytes);
        const index = frame === undefined ? undefined : decodeIndex(frame);
        if (index === undefined || index.position !== expected) {
          const found = await findFrame(file, { from: offset + 1, end: bytes, minPosition: expected });
          if (found === undefined) {
            break;
          }
          scanner = new FrameScanner(file, found.offset);
          expected = found.position;
          continue;
        }
        expected += index.events.length;
        if (expected > from) {
          yield index;
        }
      }
    } finally {
      await file.close();
    }
  }
}
