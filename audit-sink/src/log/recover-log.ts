import { type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import type { Logger } from "@gatehouse/component-base";
import type { AcknowledgedRange, ChainPoint, ReadMark } from "./acknowledged-mark.js";
import {
  chainStart,
  createSegment,
  cutMark,
  listSegments,
  readSegmentHead,
  type SegmentHead,
  segmentHeadBytes,
  segmentPath,
} from "./segment.js";
import { type SegmentDamage, walkSegment } from "./walk-segment.js";

/** A segment that nothing is added to any more. */
export interface ClosedSegment {
  readonly firstPosition: number;
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

/** Events that were kept and cannot be read any more. Their bytes stay where they are. */
export interface LogDamage {
  /** Of the damaged file, or of the folder where a file is missing. */
  readonly path: string;
  /** Place in the file. */
  readonly offset: number;
  readonly position: number;
  /** Position after the last event that may be lost. */
  readonly endPosition: number;
  readonly problem: string;
}

/** Content of a folder. */
export interface RecoveredLog {
  readonly closed: ClosedSegment[];
  /** Undefined when the folder is empty. */
  readonly last: OpenSegment | undefined;
  /** Damage that was found where the log begins and ends. */
  readonly damages: readonly LogDamage[];
}

/** How a log is recovered. */
export interface RecoverOptions {
  readonly directory: string;
  /** The part of the log that must be there. */
  readonly mark: ReadMark;
  /** Milliseconds since 1970, for a segment that is made. */
  readonly createdTimestamp: number;
  readonly logger: Logger;
}

interface FoundSegment {
  readonly firstPosition: number;
  readonly path: string;
  readonly size: number;
  readonly modifiedTimestamp: number;
  /** Undefined when it is damaged. */
  readonly head: SegmentHead | undefined;
}

/** The last segment, read to its end. */
interface WalkedSegment {
  /** After the last whole frame. */
  readonly offset: number;
  readonly end: ChainPoint;
  /** Damage that acknowledged events or whole frames come after. */
  readonly damages: readonly LogDamage[];
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

async function findSegments(directory: string): Promise<FoundSegment[]> {
  const found: FoundSegment[] = [];
  for (const firstPosition of await listSegments(directory)) {
    const path = segmentPath(directory, firstPosition);
    const file = await open(path, "r");
    try {
      const { size, mtimeMs } = await file.stat();
      const head = await readSegmentHead(file, firstPosition);
      found.push({ firstPosition, path, size, modifiedTimestamp: mtimeMs, head });
    } finally {
      await file.close();
    }
  }
  return found;
}

/** Whether a segment was made, but not yet durably: then nothing can have been written to it. */
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

async function walkLast(file: FileHandle, last: FoundSegment, acknowledged: ChainPoint): Promise<WalkedSegment> {
  const { path, firstPosition, size, head } = last;
  const damages: SegmentDamage[] = [];
  /** Damage that nothing whole has followed yet: the end of a write that a crash has cut short looks the same. */
  let pending: SegmentDamage[] = [];
  let offset = segmentHeadBytes;
  let end: ChainPoint = { position: firstPosition, chain: head?.chain ?? chainStart };
  for await (const part of walkSegment(file, { size, firstPosition, chain: head?.chain })) {
    if (part.damage !== undefined) {
      pending.push(part.damage);
      continue;
    }
    damages.push(...pending);
    pending = [];
    offset = part.endOffset;
    end = { position: part.batch.position + part.batch.events.length, chain: part.chain };
    if (end.position === acknowledged.position && !end.chain.equals(acknowledged.chain)) {
      const problem = "the events up to here are not those that were acknowledged";
      damages.push({ offset, position: end.position, endPosition: end.position, problem });
    }
  }
  if (acknowledged.position > end.position) {
    const cutOff = {
      offset,
      position: end.position,
      endPosition: acknowledged.position,
      problem: "the file ends here",
    };
    damages.push(...(pending.length === 0 ? [cutOff] : pending));
  } else if (damages.length > 0) {
    damages.push(...pending);
  }
  const lastPosition = Math.max(end.position, acknowledged.position);
  return {
    offset,
    end,
    damages: damages.map((damage) => ({ ...damage, path, endPosition: damage.endPosition ?? lastPosition })),
  };
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

async function cutTail(
  file: FileHandle,
  { path, size }: FoundSegment,
  { offset, end }: WalkedSegment,
  logger: Logger,
): Promise<void> {
  if (offset === size) {
    return;
  }
  logger.warn("cut off the unfinished end of the log", { path, position: end.position, bytes: size - offset });
  // Best effort: the disk may be full, and what is cut was never acknowledged.
  await keepTail(file, path, offset, size).catch(() => undefined);
  await file.truncate(offset);
}

async function keepTail(file: FileHandle, path: string, from: number, to: number): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  await writeFile(`${path}${cutMark}${from}`, buffer.subarray(0, bytesRead), { mode: 0o600 });
}
