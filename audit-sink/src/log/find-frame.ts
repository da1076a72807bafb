import type { FileHandle } from "node:fs/promises";
import { checkFrame } from "./check-frame.js";
import { frameHeadBytes, frameLengthOf, hashBytes } from "./frame.js";
import { FrameScanner } from "./frame-scanner.js";

/** A frame that was found behind a damaged place. */
export interface FoundFrame {
  /** Place of the frame in the file. */
  readonly offset: number;
  readonly position: number;
  /** The chain before the frame, as the bytes in front of it say. */
  readonly chain: Buffer;
}

const windowBytes = 1024 * 1024;
/** The beginning of the origin of each frame. */
const anchor = Buffer.from('{"sender":"');
const overlap = frameHeadBytes + anchor.length;

/**
 * Finds the next whole frame in a part of a segment where lengths do not lead to it. Undefined when there is none. No event can
 * pass for a frame: the head of a frame holds bytes of zero, which JSON text cannot.
 */
export async function findFrame(
  file: FileHandle,
  { from, end, minPosition }: { readonly from: number; readonly end: number; readonly minPosition: number },
): Promise<FoundFrame | undefined> {
  const window = Buffer.allocUnsafeSlow(windowBytes);
  for (let at = from; at < end; at += windowBytes - overlap) {
    const { bytesRead } = await file.read(window, 0, Math.min(windowBytes, end - at), at);
    const bytes = window.subarray(0, bytesRead);
    for (let hit = bytes.indexOf(anchor, frameHeadBytes); hit >= 0; hit = bytes.indexOf(anchor, hit + 1)) {
      const head = bytes.subarray(hit - frameHeadBytes, hit);
      const offset = at + hit - frameHeadBytes;
      const position = Number(head.readBigUInt64LE(8));
      const length = frameLengthOf(head);
      if (length !== undefined && offset + length <= end && position >= minPosition) {
        const chain = await wholeFrameAt(file, offset, end);
        if (chain !== undefined) {
          return { offset, position, chain };
        }
      }
    }
    if (bytesRead < overlap) {
      break;
    }
  }
  return undefined;
}

/** Returns the chain before the frame at a place; undefined when the frame is not whole. */
async function wholeFrameAt(file: FileHandle, offset: number, end: number): Promise<Buffer | undefined> {
  const chain = Buffer.alloc(hashBytes);
  const { bytesRead } = await file.read(chain, 0, hashBytes, offset - hashBytes);
  const frame = bytesRead < hashBytes ? undefined : await new FrameScanner(file, offset).next(end);
  return frame !== undefined && checkFrame(frame, [chain]).problem === undefined ? chain : undefined;
}
