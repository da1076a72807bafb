import { type FileHandle, open } from "node:fs/promises";
import { findFrame } from "./find-frame.js";
import { decodeFrame } from "./frame.js";
import { FrameScanner } from "./frame-scanner.js";
import { type LogBatch, LogDamagedError } from "./log-batch.js";
import { segmentHeadBytes, segmentPath } from "./segment.js";

/** A log as its readers see it. */
export interface ReadableLog {
  readonly directory: string;
  readonly isOpen: boolean;
  readonly firstPosition: number;
  readonly endPosition: number;
  readonly closedSegments: readonly ReadableSegment[];
  readonly lastSegment: ReadableSegment | undefined;
  onChange(listener: () => void): () => void;
}

/** The part of a segment that may be read. */
export interface ReadableSegment {
  readonly firstPosition: number;
  readonly endPosition: number;
  readonly bytes: number;
}

interface OpenedSegment {
  readonly firstPosition: number;
  readonly file: FileHandle;
  scanner: FrameScanner;
  /** Position of the next event in the file. */
  expected: number;
}

/** See `AuditLog.readFrom`. */
export async function* readLog(log: ReadableLog, from: number, signal: AbortSignal): AsyncGenerator<LogBatch, void> {
  if (from > log.endPosition) {
    throw new RangeError(`the log ends at position ${log.endPosition}, before ${from}`);
  }
  let position = from;
  let opened: OpenedSegment | undefined;
  try {
    while (!signal.aborted) {
      const segment = segmentWith(log, position);
      if (segment === undefined || segment.endPosition <= position) {
        if (!log.isOpen) {
          return;
        }
        await nextChange(log, position, signal);
        continue;
      }
      if (opened?.firstPosition !== segment.firstPosition) {
        await opened?.file.close();
        opened = undefined;
        const file = await openIfKept(log, segment, position);
        if (file === undefined) {
          continue;
        }
        const { firstPosition } = segment;
        opened = { firstPosition, file, scanner: new FrameScanner(file, segmentHeadBytes), expected: firstPosition };
      }
      const { offset } = opened.scanner;
      const frame = await opened.scanner.next(segment.bytes);
      const batch = frame === undefined ? undefined : decodeFrame(frame);
      if (batch === undefined || batch.position !== opened.expected) {
        const { bytes } = segment;
        const found = await findFrame(opened.file, { from: offset + 1, end: bytes, minPosition: opened.expected });
        const resumeAt = found?.position ?? segment.endPosition;
        if (found === undefined || resumeAt > position) {
          throw new LogDamagedError(segmentPath(log.directory, segment.firstPosition), offset, position, resumeAt);
        }
        // All that is damaged lies before the position.
        opened.scanner = new FrameScanner(opened.file, found.offset);
        opened.expected = resumeAt;
        continue;
      }
      const end = batch.position + batch.events.length;
      opened.expected = end;
      if (end > position) {
        yield batch.position >= position ? batch : behind(batch, position);
        position = end;
      }
    }
  } finally {
    await opened?.file.close();
  }
}

/** The segment with the event at a position, or the next one after it that is kept. */
function segmentWith(log: ReadableLog, position: number): ReadableSegment | undefined {
  const { closedSegments } = log;
  let low = 0;
  let high = closedSegments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((closedSegments[middle] as ReadableSegment).endPosition > position) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return closedSegments[low] ?? log.lastSegment;
}

/** Opens a segment; undefined when it has just been deleted, so that the search finds another. */
async function openIfKept(
  log: ReadableLog,
  segment: ReadableSegment,
  position: number,
): Promise<FileHandle | undefined> {
  const path = segmentPath(log.directory, segment.firstPosition);
  try {
    return await open(path, "r");
  } catch (error) {
    if (log.firstPosition > segment.firstPosition) {
      return undefined;
    }
    throw (error as NodeJS.ErrnoException).code === "ENOENT"
      ? new LogDamagedError(path, 0, position, segment.endPosition)
      : error;
  }
}

function behind(batch: LogBatch, position: number): LogBatch {
  return { ...batch, position, events: batch.events.slice(position - batch.position) };
}

function nextChange(log: ReadableLog, position: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      if (log.endPosition > position || !log.isOpen || signal.aborted) {
        forget();
        signal.removeEventListener("abort", go);
        resolve();
      }
    };
    const forget = log.onChange(go);
    signal.addEventListener("abort", go, { once: true });
    go();
  });
}
