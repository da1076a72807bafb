import { errorCode, Http2Error } from "./http2-error.js";

/** Types of frames (RFC 9113, section 6). */
export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of frames. */
export const frameFlag = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

/** Identifiers of settings (RFC 9113, section 6.5.2). */
export const settingId = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** Bytes that a client sends before its first frame (RFC 9113, section 3.4). */
export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Length of what stands before the payload of each frame. */
export const frameHeadBytes = 9;

/** Largest payload of a frame until settings change it, in bytes. This side never allows more. */
export const defaultFrameBytes = 16384;

/** Largest window of flow control, in bytes. */
export const largestWindow = 2 ** 31 - 1;

/** A frame without its payload. */
export interface FrameHead {
  readonly type: number;
  readonly flags: number;
  /** 0 for the connection. */
  readonly streamId: number;
}

/** Writes the head of a frame into a buffer. */
export function writeFrameHead(bytes: Buffer, at: number, { type, flags, streamId }: FrameHead, length: number): void {
  bytes[at] = length >>> 16;
  bytes[at + 1] = length >>> 8;
  bytes[at + 2] = length;
  bytes[at + 3] = type;
  bytes[at + 4] = flags;
  bytes.writeUInt32BE(streamId, at + 5);
}

/** Returns a frame with its payload. */
export function frameOf(head: FrameHead, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(frameHeadBytes + payload.length);
  writeFrameHead(frame, 0, head, payload.length);
  frame.set(payload, frameHeadBytes);
  return frame;
}

/** Returns a frame whose payload are numbers of 32 bits: a window's update, a reset, an end of the connection. */
export function numbersFrame(type: number, streamId: number, ...numbers: readonly number[]): Buffer {
  const frame = Buffer.allocUnsafe(frameHeadBytes + 4 * numbers.length);
  writeFrameHead(frame, 0, { type, flags: 0, streamId }, 4 * numbers.length);
  for (const [at, number] of numbers.entries()) {
    frame.writeUInt32BE(number, frameHeadBytes + 4 * at);
  }
  return frame;
}

/** Returns a frame of settings: identifiers and values. */
export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.allocUnsafe(6 * settings.length);
  for (const [at, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, 6 * at);
    payload.writeUInt32BE(value, 6 * at + 2);
  }
  return frameOf({ type: frameType.settings, flags: 0, streamId: 0 }, payload);
}

/** Returns the payload of a frame without its padding, and without the first `skipped` bytes after the padding's length. Throws Http2Error. */
export function unpadded(flags: number, payload: Buffer, skipped = 0): Buffer {
  const isPadded = (flags & frameFlag.padded) !== 0;
  const padding = isPadded ? (payload[0] ?? 0) : 0;
  const start = (isPadded ? 1 : 0) + skipped;
  if (start > payload.length) {
    throw new Http2Error(errorCode.frameSizeError, "a frame is too short for what it must have");
  }
  if (start + padding > payload.length) {
    throw new Http2Error(errorCode.protocolError, "a frame has more padding than bytes");
  }
  return payload.subarray(start, payload.length - padding);
}

/** The receiver of frames. The payload may share memory with others. */
export type OnFrame = (type: number, flags: number, streamId: number, payload: Buffer) => void;

/** Finds the frames in the bytes of a connection as they arrive, and keeps at most one that is not complete. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  /** Pieces of a frame that is not complete, their length together, and how much is needed to go on. */
  #pieces: Buffer[] = [];
  #length = 0;
  #wanted = frameHeadBytes;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** Hands out the frames that are complete with these bytes. Throws Http2Error for one that is too long. */
  push(bytes: Buffer): void {
    let rest = bytes;
    if (this.#length > 0) {
      this.#pieces.push(bytes);
      this.#length += bytes.length;
      if (this.#length < this.#wanted) {
        return;
      }
      rest = Buffer.concat(this.#pieces, this.#length);
    }
    let at = 0;
    this.#wanted = frameHeadBytes;
    while (rest.length - at >= frameHeadBytes) {
      const length = rest.readUIntBE(at, 3);
      if (length > defaultFrameBytes) {
        throw new Http2Error(errorCode.frameSizeError, "a frame is too long");
      }
      const end = at + frameHeadBytes + length;
      if (end > rest.length) {
        this.#wanted = frameHeadBytes + length;
        break;
      }
      const streamId = rest.readUInt32BE(at + 5) & 0x7fffffff;
      this.#onFrame(rest[at + 3] as number, rest[at + 4] as number, streamId, rest.subarray(at + frameHeadBytes, end));
      at = end;
    }
    this.#length = rest.length - at;
    this.#pieces = this.#length === 0 ? [] : [rest.subarray(at)];
  }
}
