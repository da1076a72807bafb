import type { SpdyHeaders } from "./header-block.js";

/** Types of control frames, as numbered by SPDY/3. */
export const controlType = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

/** Status codes of RST_STREAM. */
export const resetStatus = { protocolError: 1, invalidStream: 2, refusedStream: 3, cancel: 5 } as const;

/** Status codes of GOAWAY. */
export const goAwayStatus = { ok: 0, protocolError: 1, internalError: 2 } as const;

/** The flag that ends the direction in which the frame travels. */
export const finFlag = 0x01;

/** Frames begin with this many bytes: kind, flags, and the length of what follows. */
export const frameHeaderBytes = 8;

/** A frame that was received. Data frames are given in pieces as they arrive; only the last piece has `fin`. */
export type SpdyFrame =
  | { readonly type: "data"; readonly streamId: number; readonly data: Buffer; readonly fin: boolean }
  | { readonly type: "syn-stream"; readonly streamId: number; readonly fin: boolean; readonly headers: SpdyHeaders }
  | { readonly type: "syn-reply"; readonly streamId: number; readonly fin: boolean }
  | { readonly type: "headers"; readonly streamId: number; readonly fin: boolean }
  | { readonly type: "rst-stream"; readonly streamId: number; readonly status: number }
  | { readonly type: "ping"; readonly id: number }
  | { readonly type: "go-away"; readonly status: number }
  /** SETTINGS and WINDOW_UPDATE, which have no effect. */
  | { readonly type: "ignored" };

/** Encodes a control frame of version 3. */
export function controlFrame(type: number, flags: number, ...payload: readonly (number | Buffer)[]): Buffer {
  const parts = payload.map((part) => (typeof part === "number" ? uint32(part) : part));
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUInt32BE((0x80030000 | type) >>> 0, 0);
  header.writeUInt32BE(((flags << 24) | body.length) >>> 0, 4);
  return Buffer.concat([header, body]);
}

/** Encodes the header of a data frame. */
export function dataFrameHeader(streamId: number, length: number, fin: boolean): Buffer {
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUInt32BE(streamId, 0);
  header.writeUInt32BE(((fin ? finFlag << 24 : 0) | length) >>> 0, 4);
  return header;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
