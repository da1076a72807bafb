import { open } from "node:fs/promises";
import { listSegments, readSegmentHead, type SegmentHead, segmentPath } from "./segment.js";

/** A segment in a folder, before anything but its head has been read. */
export interface FoundSegment {
  readonly firstPosition: number;
  readonly path: string;
  readonly size: number;
  readonly modifiedTimestamp: number;
  /** Head of the segment; undefined when it is damaged. */
  readonly head: SegmentHead | undefined;
}

/** Finds the segments in a folder, in ascending order. */
export async function findSegments(directory: string): Promise<FoundSegment[]> {
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
