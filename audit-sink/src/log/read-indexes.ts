import { open } from "node:fs/promises";
import { decodeIndex } from "./frame.js";
import { FrameScanner } from "./frame-scanner.js";
import type { BatchIndex } from "./log-batch.js";
import type { ReadableLog } from "./log-reader.js";
import { segmentHeadBytes, segmentPath } from "./segment.js";

/**
 * The indexes of the batches with events at a position or after it, up to the end that the log has now: a tenth of the
 * bytes of the events. What cannot be read of a segment is left out. Nothing of the log may be deleted meanwhile.
 */
export async function* readIndexes(log: ReadableLog, from: number): AsyncGenerator<BatchIndex, void> {
  const segments = log.lastSegment === undefined ? [] : [...log.closedSegments, log.lastSegment];
  for (const { firstPosition, endPosition, bytes } of segments) {
    if (endPosition <= from) {
      continue;
    }
    const file = await open(segmentPath(log.directory, firstPosition), "r");
    try {
      const scanner = new FrameScanner(file, segmentHeadBytes);
      for (let frame = await scanner.nextIndex(bytes); frame !== undefined; frame = await scanner.nextIndex(bytes)) {
        const index = decodeIndex(frame);
        if (index === undefined) {
          break;
        }
        if (index.position + index.events.length > from) {
          yield index;
        }
      }
    } finally {
      await file.close();
    }
  }
}
