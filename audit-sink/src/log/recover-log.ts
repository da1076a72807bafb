import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { Logger } from "@gatehouse/component-base/logs";
import type { AcknowledgedRange, ChainPoint, ReadMark } from "./acknowledged-mark.js";
import { type FoundSegment, findSegments } from "./found-segment.js";
import { cutTail, type LogDamage, type WalkedSegment, walkLast } from "./last-segment.js";
import { chainStart, createSegment, cutMark, type SegmentHead, segmentHeadBytes } from "./segment.js";

/** A segment that nothing is added to any more. */
export interface ClosedSegment {
  readonly firstPosition: number;
  readonly bytes: number;
  /** Position after its last event. */
  readonly endPosition: number;
  /** Time at which its successor was made, in milliseconds since 1970: no event in it is younger. */
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

/** Content of a folder. */
export interface RecoveredLog {
  readonly closed: ClosedSegment[];
  /** Last segment; undefined when the folder is empty. */
  readonly last: OpenSegment | undefined;
  /** Damage that was found where the log begins and ends. */
  readonly damages: readonly LogDamage[];
}

/** Options of the recovery of a log. */
export interface RecoverOptions {
  readonly directory: string;
  /** The part of the log that must be there. */
  readonly mark: ReadMark;
  /** Milliseconds since 1970, for a segment that is made. */
  readonly createdTimestamp: number;
  readonly logger: Logger;
}

/**
 * Finds the log in a folder. Bytes behind the last whole frame that were never acknowledged are cut off, and a copy of them
 * stays beside the segment. Where acknowledged events are damaged, nothing is cut off: the segment stays as it is, and the
 * log goes on in a new one, from the position and the chain that were acknowledged.
 */
export async function recoverLog(options: RecoverOptions): Promise<RecoveredLog> {
  const { directory, logger, mark } = options;
  const acknowledged = typeof mark === "string" ? { position: 0, first: 0, chain: chainStart } : mark;
  const found = await findSegments(directory);
  const newest = found.at(-1);
  if (newest !== undefined && isUnfinished(newest, acknowledged)) {
    logger.warn("removed a segment that was never finished", { path: newest.path });
    await rm(newest.path);
    found.pop();
  }
  reportHeads(found, logger);
  const recovered = await recoverEnd(options, found, acknowledged);
  const missing = typeof mark === "string" ? [] : missingBefore(directory, found[0], mark);
  const damages = [...missing, ...recovered.damages];
  for (const damage of damages) {
    logger.error("the log is damaged; what is left of it is kept", { ...damage });
  }
  return { ...recovered, damages };
}

/** Finds the place where the log goes on. */
async function recoverEnd(
  options: RecoverOptions,
  found: readonly FoundSegment[],
  acknowledged: AcknowledgedRange,
): Promise<RecoveredLog> {
  const closed = found.slice(0, -1).map((segment, index) => closedSegment(segment, found[index + 1] as FoundSegment));
  const last = found.at(-1);
  if (last === undefined) {
    return acknowledged.position === 0
      ? { closed, last: undefined, damages: [] }
      : { closed, last: await beginSegment(options, acknowledged), damages: [] };
  }
  const file = await open(last.path, "r+");
  try {
    const walked = await walkLast(file, last, acknowledged);
    if (last.head !== undefined && walked.damages.length === 0) {
      const { offset, end } = walked;
      await cutTail(file, last, walked, options.logger);
      // What is there may have been written, but not flushed, by a process that was killed.
      await file.sync();
      const open = { ...last.head, file, bytes: offset, endPosition: end.position, endChain: end.chain };
      return { closed, last: open, damages: [] };
    }
    await file.close();
    return await closeDamaged(options, closed, last, walked, acknowledged);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The events at the beginning of the log that nobody has deleted through the log, and that are not there. */
function missingBefore(
  directory: string,
  oldest: FoundSegment | undefined,
  { first, position }: AcknowledgedRange,
): readonly LogDamage[] {
  const endPosition = oldest?.firstPosition ?? position;
  const problem = "the segments with the oldest events are missing";
  return endPosition <= first ? [] : [{ path: directory, offset: 0, position: first, endPosition, problem }];
}

/** Leaves a damaged segment as it is and begins a new one. */
async function closeDamaged(
  options: RecoverOptions,
  closed: ClosedSegment[],
  { firstPosition, path, size }: FoundSegment,
  { end, damages }: WalkedSegment,
  acknowledged: ChainPoint,
): Promise<RecoveredLog> {
  const next = end.position > acknowledged.position ? end : acknowledged;
  if (next.position === firstPosition) {
    // Nothing in it can be read or was acknowledged, but the new segment has the same name.
    await rename(path, `${path}${cutMark}0`);
  } else {
    const endedTimestamp = options.createdTimestamp;
    closed.push({ firstPosition, bytes: size, endPosition: next.position, endedTimestamp });
  }
  return { closed, last: await beginSegment(options, next), damages };
}

/** Reports whether a segment was made, but not yet durably: nothing can have been written to it then. */
function isUnfinished({ head, size, firstPosition }: FoundSegment, acknowledged: ChainPoint): boolean {
  return head === undefined && size <= segmentHeadBytes && acknowledged.position <= firstPosition;
}

function reportHeads(found: readonly FoundSegment[], logger: Logger): void {
  for (const { head, path, firstPosition } of found) {
    if (head === undefined) {
      logger.error("the head of a segment of the log is damaged", { path, position: firstPosition });
    }
  }
}

function closedSegment({ firstPosition, size, modifiedTimestamp }: FoundSegment, next: FoundSegment): ClosedSegment {
  const endedTimestamp = next.head?.createdTimestamp ?? modifiedTimestamp;
  return { firstPosition, bytes: size, endPosition: next.firstPosition, endedTimestamp };
}

/** Begins a new segment behind what is damaged. */
async function beginSegment(
  { directory, createdTimestamp }: RecoverOptions,
  { position, chain }: ChainPoint,
): Promise<OpenSegment> {
  const head = { firstPosition: position, createdTimestamp, chain };
  const file = await createSegment(directory, head);
  return { ...head, file, bytes: segmentHeadBytes, endPosition: position, endChain: chain };
}
