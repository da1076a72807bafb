import { type FileHandle, writeFile } from "node:fs/promises";
import type { Logger } from "@gatehouse/component-base/logs";
import type { ChainPoint } from "./acknowledged-mark.js";
import type { FoundSegment } from "./found-segment.js";
import { chainStart, cutMark, segmentHeadBytes } from "./segment.js";
import { type SegmentDamage, walkSegment } from "./walk-segment.js";

/** Events that were kept and cannot be read any more. Their bytes stay where they are. */
export interface LogDamage {
  /** Path of the damaged file, or of the folder in which a file is missing. */
  readonly path: string;
  /** Place in the file. */
  readonly offset: number;
  readonly position: number;
  /** Position after the last event that may be lost. */
  readonly endPosition: number;
  readonly problem: string;
}

/** The last segment, read to its end. */
export interface WalkedSegment {
  /** Offset after the last whole frame. */
  readonly offset: number;
  readonly end: ChainPoint;
  /** Damage of acknowledged events, or with whole batches behind it. */
  readonly damages: readonly LogDamage[];
}

/** Reads the last segment of a log and tells damage from an unfinished write. */
export async function walkLast(file: FileHandle, last: FoundSegment, acknowledged: ChainPoint): Promise<WalkedSegment> {
  const { path, firstPosition, size, head } = last;
  const damages: SegmentDamage[] = [];
  /** Damage without a whole batch behind it so far: a write that a crash has cut short looks the same. */
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

/** Cuts off what stands behind the last whole frame, and keeps a copy beside. */
export async function cutTail(
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
