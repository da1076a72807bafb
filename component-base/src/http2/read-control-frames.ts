import { defaultFrameBytes, frameFlag, largestWindow, settingId } from "./frames.js";
import { errorCode, Http2Error } from "./http2-error.js";

/** A setting of a peer: its identifier and value. */
export type Setting = readonly [id: number, value: number];

/** Reads a frame of settings; undefined for the acknowledgement of this side's. Throws Http2Error. */
export function readSettings(flags: number, streamId: number, payload: Buffer): readonly Setting[] | undefined {
  const isAck = (flags & frameFlag.ack) !== 0;
  requireConnection(streamId);
  if (payload.length % 6 !== 0 || (isAck && payload.length > 0)) {
    throw new Http2Error(errorCode.frameSizeError, "a frame of settings has a wrong length");
  }
  if (isAck) {
    return undefined;
  }
  const settings: Setting[] = [];
  for (let at = 0; at < payload.length; at += 6) {
    const setting: Setting = [payload.readUInt16BE(at), payload.readUInt32BE(at + 2)];
    checkSetting(setting);
    settings.push(setting);
  }
  return settings;
}

function checkSetting([id, value]: Setting): void {
  if (id === settingId.initialWindowSize && value > largestWindow) {
    throw new Http2Error(errorCode.flowControlError, "the setting of the window is too large");
  }
  const isWrong =
    (id === settingId.enablePush && value > 1) ||
    (id === settingId.maxFrameSize && (value < defaultFrameBytes || value > 2 ** 24 - 1));
  if (isWrong) {
    throw new Http2Error(errorCode.protocolError, `setting ${id} is out of bounds`);
  }
}

/** Reads a ping. Throws Http2Error. */
export function readPing(flags: number, streamId: number, payload: Buffer): { readonly isAnswer: boolean } {
  requireLength(payload, 8);
  requireConnection(streamId);
  return { isAnswer: (flags & frameFlag.ack) !== 0 };
}

/** Reads the last stream that a peer takes notice of from the end of its connection. Throws Http2Error. */
export function readGoaway(streamId: number, payload: Buffer): { readonly lastStreamId: number } {
  if (payload.length < 8) {
    throw new Http2Error(errorCode.frameSizeError, "an end of the connection has a wrong length");
  }
  requireConnection(streamId);
  return { lastStreamId: payload.readUInt32BE(0) & 0x7fffffff };
}

/** Reads the bytes by which a window grows; 0 is wrong, which is for the caller to answer. Throws Http2Error. */
export function readWindowUpdate(payload: Buffer): number {
  requireLength(payload, 4);
  return payload.readUInt32BE(0) & 0x7fffffff;
}

/** Reads the code of a reset. Throws Http2Error. */
export function readReset(payload: Buffer): number {
  requireLength(payload, 4);
  return payload.readUInt32BE(0);
}

/** Checks a frame of a priority, which has no effect. Throws Http2Error. */
export function checkPriority(streamId: number, payload: Buffer): void {
  requireLength(payload, 5);
  if (streamId === 0) {
    throw new Http2Error(errorCode.protocolError, "a priority of no stream was sent");
  }
}

function requireLength(payload: Buffer, length: number): void {
  if (payload.length !== length) {
    throw new Http2Error(errorCode.frameSizeError, "a frame has a wrong length");
  }
}

function requireConnection(streamId: number): void {
  if (streamId !== 0) {
    throw new Http2Error(errorCode.protocolError, "a frame of the connection was sent on a stream");
  }
}
