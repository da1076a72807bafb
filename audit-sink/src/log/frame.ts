import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { BatchIndex, EventEntry, KeptEvent, LogBatch, NewBatch } from "./log-batch.js";

// A batch in a segment is a frame; integers are little-endian:
//    0  u32  bytes of the whole frame
//    4  u32  number of events
//    8  u64  position of the first event
//   16  f64  receivedTimestamp, milliseconds since 1970
//   24  u32  bytes of the origin
//   28  u32  bytes of all events
//   32  origin: {"sender", "source", "sequence", "received"} as JSON
//       table: for each event u32 its bytes, u32 its offset, 32 bytes SHA-256 of it
//       the events, one after the other
//       32 bytes SHA-256 of the chain so far and everything from the beginning to the end of the table
// So each event is hashed once, for the table; the chain holds the tables together.

/** Bytes before the origin. */
export const frameHeadBytes = 32;
/** Bytes of a hash. */
export const hashBytes = 32;
const entryBytes = 8 + hashBytes;

/** A frame that waits for its place: `place` writes what depends on those before it. */
export function encodeFrame(batch: NewBatch): Buffer {
  const { sender, source, sequence, received, receivedTimestamp, events } = batch;
  const origin = Buffer.from(JSON.stringify({ sender, source, sequence, received }));
  let eventsBytes = 0;
  for (const { bytes } of events) {
    eventsBytes += bytes.length;
  }
  const eventsAt = frameHeadBytes + origin.length + events.length * entryBytes;
  const frame = Buffer.allocUnsafe(eventsAt + eventsBytes + hashBytes);
  frame.writeUInt32LE(frame.length, 0);
  frame.writeUInt32LE(events.length, 4);
  frame.writeDoubleLE(receivedTimestamp, 16);
  frame.writeUInt32LE(origin.length, 24);
  frame.writeUInt32LE(eventsBytes, 28);
  frame.set(origin, frameHeadBytes);
  let entryAt = frameHeadBytes + origin.length;
  let at = eventsAt;
  for (const { bytes, digest, offset } of events) {
    frame.writeUInt32LE(bytes.length, entryAt);
    frame.writeUInt32LE(offset, entryAt + 4);
    frame.write(digest, entryAt + 8, hashBytes, "latin1");
    frame.set(bytes, at);
    entryAt += entryBytes;
    at += bytes.length;
  }
  return frame;
}

/** Gives a frame its position and its link to the chain, in place; returns the new end of the chain. */
export function placeFrame(frame: Buffer, position: number, chain: Buffer): Buffer {
  frame.writeBigUInt64LE(BigInt(position), 8);
  const link = linkOf(frame, chain);
  frame.set(link, frame.length - hashBytes);
  return link;
}

/** Number of events in an encoded frame. */
export function countOf(frame: Buffer): number {
  return frame.readUInt32LE(4);
}

/** The hash that the frame must end with after `chain`. The frame must be well-formed. */
export function linkOf(frame: Buffer, chain: Buffer): Buffer {
  const hash = createHash("sha256");
  hash.update(chain);
  hash.update(frame.subarray(0, frame.length - hashBytes - frame.readUInt32LE(28)));
  return hash.digest();
}

/** The hash that the frame ends with. */
export function storedLinkOf(frame: Buffer): Buffer {
  return frame.subarray(frame.length - hashBytes);
}

/**
 * Bytes of the frame that begins with this head, or undefined if none can begin so: its lengths contradict each other.
 * The head must be whole.
 */
export function frameLengthOf(head: Buffer): number | undefined {
  const length = head.readUInt32LE(0);
  const count = head.readUInt32LE(4);
  const rest = head.readUInt32LE(24) + count * entryBytes + head.readUInt32LE(28);
  return count > 0 && length === frameHeadBytes + rest + hashBytes ? length : undefined;
}

/** Bytes of a frame before its events: its index. The head must be whole, and its lengths must fit together. */
export function indexLengthOf(head: Buffer): number {
  return frameHeadBytes + head.readUInt32LE(24) + countOf(head) * entryBytes;
}

/** Decodes the index of a frame. Returns undefined when its parts do not fit together. */
export function decodeIndex(index: Buffer): BatchIndex | undefined {
  const tableAt = frameHeadBytes + index.readUInt32LE(24);
  const origin = parseOrigin(index.toString("utf8", frameHeadBytes, tableAt));
  if (origin === undefined) {
    return undefined;
  }
  const count = countOf(index);
  const events = new Array<EventEntry>(count);
  for (let i = 0, entryAt = tableAt; i < count; i++, entryAt += entryBytes) {
    events[i] = {
      length: index.readUInt32LE(entryAt),
      offset: index.readUInt32LE(entryAt + 4),
      digest: index.toString("latin1", entryAt + 8, entryAt + entryBytes),
    };
  }
  return {
    position: Number(index.readBigUInt64LE(8)),
    receivedTimestamp: index.readDoubleLE(16),
    ...origin,
    events,
  };
}

/** The batch in a frame whose length is right. Undefined when its parts do not fit together. Shares the frame's bytes. */
export function decodeFrame(frame: Buffer): LogBatch | undefined {
  const index = decodeIndex(frame);
  if (index === undefined) {
    return undefined;
  }
  let at = indexLengthOf(frame);
  const events = index.events.map(({ length, digest, offset }): KeptEvent => {
    const bytes = frame.subarray(at, at + length);
    at += length;
    return { bytes, digest, offset };
  });
  return at === frame.length - hashBytes ? { ...index, events } : undefined;
}

function parseOrigin(text: string): Pick<NewBatch, "sender" | "source" | "sequence" | "received"> | undefined {
  let origin: JsonValue;
  try {
    origin = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isJsonObject(origin)) {
    return undefined;
  }
  const { sender, source, sequence, received } = origin;
  return typeof sender !== "string"
    ? undefined
    : {
        sender,
        ...(typeof source === "string" ? { source } : {}),
        ...(typeof sequence === "number" ? { sequence } : {}),
        ...(typeof received === "number" ? { received } : {}),
      };
}
