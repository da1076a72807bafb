import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { syncDirectory } from "@gatehouse/component-base/files";
import { digestOf } from "./digest.js";
import { hashBytes } from "./frame.js";

// A segment is a file of the log: a head of 64 bytes, then frames (see frame.ts).
//    0  "GHAUDIT1"
//    8  u64  position of the first event
//   16  f64  when the file was made, milliseconds since 1970
//   24  32 bytes: the chain before the first frame
//   56  8 bytes: the beginning of the SHA-256 of the 56 bytes before; zero in files of earlier versions

/** Bytes before the first frame. */
export const segmentHeadBytes = 64;
const magic = "GHAUDIT1";
const checkedBytes = 24 + hashBytes;
const unchecked = "\0".repeat(segmentHeadBytes - checkedBytes);
const namePattern = /^(\d{20})\.segment$/;

/** The metadata at the beginning of a segment. */
export interface SegmentHead {
  readonly firstPosition: number;
  readonly createdTimestamp: number;
  /** The chain before the first frame: where the segment before has ended. */
  readonly chain: Buffer;
}

/** The chain before the first event of a log. */
export const chainStart: Buffer = Buffer.alloc(hashBytes);

/** File of the segment whose first event has this position. */
export function segmentPath(directory: string, firstPosition: number): string {
  return join(directory, `${String(firstPosition).padStart(20, "0")}.segment`);
}

/** Separator in the name of a cut-off end: it stands between the segment's name and the offset of the cut. */
export const cutMark = ".cut-at-";

/** Removes a segment, and what was cut off it. */
export async function removeSegment(directory: string, firstPosition: number): Promise<void> {
  const path = segmentPath(directory, firstPosition);
  const name = basename(path);
  for (const other of await readdir(directory)) {
    if (other.startsWith(name + cutMark)) {
      await rm(join(directory, other), { force: true });
    }
  }
  await rm(path, { force: true });
  await syncDirectory(directory);
}

/** The first positions of the segments in a folder, in ascending order. */
export async function listSegments(directory: string): Promise<readonly number[]> {
  const names = await readdir(directory);
  return names
    .flatMap((name) => namePattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Makes the file of a segment, durably, and leaves it open for writing. */
export async function createSegment(directory: string, head: SegmentHead): Promise<FileHandle> {
  const bytes = Buffer.alloc(segmentHeadBytes);
  bytes.write(magic, "latin1");
  bytes.writeBigUInt64LE(BigInt(head.firstPosition), 8);
  bytes.writeDoubleLE(head.createdTimestamp, 16);
  bytes.set(head.chain, 24);
  bytes.write(checkOf(bytes), checkedBytes, "latin1");
  const path = segmentPath(directory, head.firstPosition);
  // It may be there already, empty, if the disk was full before.
  const file = await open(path, "w", 0o600);
  try {
    await file.write(bytes, 0, bytes.length, 0);
    await file.datasync();
    await syncDirectory(directory);
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  return file;
}

/** Reads the head of a segment. Undefined when the file does not begin as that of the position, or the head is damaged. */
export async function readSegmentHead(file: FileHandle, firstPosition: number): Promise<SegmentHead | undefined> {
  const bytes = Buffer.alloc(segmentHeadBytes);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  const check = bytes.toString("latin1", checkedBytes);
  const isWhole =
    bytesRead === bytes.length &&
    bytes.toString("latin1", 0, magic.length) === magic &&
    bytes.readBigUInt64LE(8) === BigInt(firstPosition) &&
    (check === checkOf(bytes) || check === unchecked);
  return isWhole
    ? { firstPosition, createdTimestamp: bytes.readDoubleLE(16), chain: Buffer.from(bytes.subarray(24, checkedBytes)) }
    : undefined;
}

function checkOf(head: Buffer): string {
  return digestOf(head.subarray(0, checkedBytes)).slice(0, segmentHeadBytes - checkedBytes);
}
