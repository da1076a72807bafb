import { type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { ConfigurationError, type Logger, problemAt } from "@gatehouse/component-base";
import { digestOf } from "./digest.js";
import { countOf, decodeFrame, linkOf, storedLinkOf } from "./frame.js";
import { FrameScanner } from "./frame-scanner.js";
import { cutMark, listSegments, readSegmentHead, type SegmentHead, segmentHeadBytes, segmentPath } from "./segment.js";

/** A segment that nothing is added to any more. */
export interface ClosedSegment extends SegmentHead {
  readonly bytes: number;
  /** Position after its last event. */
  readonly endPosition: number;
  /** When its successor was made, milliseconds since 1970: no event in it is younger. */
  readonly endedTimestamp: number;
}

/** The segment at the end of the log, open for writing. */
export interface OpenSegment extends SegmentHead {
  readonly file: FileHandle;
  /** Whole, durable frames end here. */
  bytes: number;
  endPosition: number;
  /** The chain after its last frame. */
  endChain: Buffer;
}

/** What a folder holds. */
export interface RecoveredLog {
  readonly closed: ClosedSegment[];
  /** Undefined when the folder is empty. */
  readonly last: OpenSegment | undefined;
}

/**
 * Finds the log in a folder. What was being written when the process or machine went down, and so never acknowledged, is
 * cut off behind the last whole frame; a copy of it stays beside the segment, and the log tells of it.
 */
export async function recoverLog(directory: string, logger: Logger): Promise<RecoveredLog> {
  const heads: { readonly head: SegmentHead; readonly bytes: number }[] = [];
  const positions = [...(await listSegments(directory))];
  for (const [index, position] of positions.entries()) {
    const path = segmentPath(directory, position);
    const file = await open(path, "r");
    try {
      const head = await readSegmentHead(file);
      const isLast = index === positions.length - 1;
      if (head?.firstPosition === position) {
        heads.push({ head, bytes: (await file.stat()).size });
      } else if (isLast) {
        // Made, but not yet durably: nothing can have been acknowledged in it.
        logger.warn("removed a segment that was never finished", { path });
        await rm(path);
      } else {
        throw new ConfigurationError(path, [problemAt("head", "is not that of a segment of an audit log")]);
      }
    } finally {
      await file.close();
    }
  }
  const closed = heads.slice(0, -1).map(({ head, bytes }, index): ClosedSegment => {
    const next = heads[index + 1] as (typeof heads)[number];
    return { ...head, bytes, endPosition: next.head.firstPosition, endedTimestamp: next.head.createdTimestamp };
  });
  const last = heads.at(-1);
  return { closed, last: last === undefined ? undefined : await reopen(directory, last.head, last.bytes, logger) };
}

async function reopen(directory: string, head: SegmentHead, size: number, logger: Logger): Promise<OpenSegment> {
  const path = segmentPath(directory, head.firstPosition);
  const file = await open(path, "r+");
  const segment: OpenSegment = {
    ...head,
    file,
    bytes: segmentHeadBytes,
    endPosition: head.firstPosition,
    endChain: head.chain,
  };
  const scanner = new FrameScanner(file, segmentHeadBytes);
  for (;;) {
    const frame = await scanner.next(size);
    if (frame === undefined || frameProblem(frame, segment.endPosition, segment.endChain) !== undefined) {
      break;
    }
    segment.endChain = Buffer.from(storedLinkOf(frame));
    segment.endPosition += countOf(frame);
    segment.bytes = scanner.offset;
  }
  if (segment.bytes < size) {
    logger.warn("cut off the unfinished end of the log", {
      path,
      position: segment.endPosition,
      bytes: size - segment.bytes,
    });
    // Best effort: the disk may be full, and what is cut was never acknowledged.
    await keepTail(file, path, segment.bytes, size).catch(() => undefined);
    await file.truncate(segment.bytes);
  }
  // What is there may have been written, but not flushed, by a process that was killed.
  await file.sync();
  return segment;
}

async function keepTail(file: FileHandle, path: string, from: number, to: number): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  await writeFile(`${path}${cutMark}${from}`, buffer.subarray(0, bytesRead), { mode: 0o600 });
}

/** What is wrong with a frame. */
export interface FrameProblem {
  readonly text: string;
  /** Of the event that it is about; 0 when it is about all of them. */
  readonly index: number;
}

/** What is wrong with a frame that ought to follow `chain` with the event at `position`; undefined when nothing is. */
export function frameProblem(frame: Buffer, position: number, chain: Buffer): FrameProblem | undefined {
  const batch = decodeFrame(frame);
  if (batch === undefined) {
    return { text: "the parts of the batch do not fit together", index: 0 };
  }
  if (!linkOf(frame, chain).equals(storedLinkOf(frame))) {
    return { text: "the batch does not follow from what stands before it", index: 0 };
  }
  if (batch.position !== position) {
    return { text: `the batch begins with position ${batch.position}`, index: 0 };
  }
  const altered = batch.events.findIndex(({ bytes, digest }) => digestOf(bytes) !== digest);
  return altered < 0 ? undefined : { text: "the event has been altered", index: altered };
}
