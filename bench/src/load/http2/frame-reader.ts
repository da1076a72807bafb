import { frameHeaderBytes, frameTypes } from "./frame.js";

/** Callbacks for received frames. Buffers are valid during the call only. */
export interface FrameListener {
  /** A piece of a DATA frame's payload. */
  data(bytes: Buffer): void;
  /** The end of a DATA frame. */
  dataEnd(flags: number, payloadBytes: number): void;
  /** Any other frame, whole. */
  control(type: number, flags: number, payload: Buffer): void;
}

/** Takes a connection's bytes apart into frames, whatever the pieces they come in. Payloads of DATA are not copied. */
export class FrameReader {
  readonly #listener: FrameListener;
  readonly #header = Buffer.alloc(frameHeaderBytes);
  #headerLength = 0;
  #type = 0;
  #flags = 0;
  #length = 0;
  /** Bytes of the payload still to come; -1 between frames. */
  #remaining = -1;
  /** Received part of a control frame that is not complete. */
  #partial: Buffer | undefined;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      at = this.#remaining < 0 ? this.#readHeader(bytes, at) : this.#readPayload(bytes, at);
    }
  }

  #readHeader(bytes: Buffer, at: number): number {
    const taken = Math.min(frameHeaderBytes - this.#headerLength, bytes.length - at);
    bytes.copy(this.#header, this.#headerLength, at, at + taken);
    this.#headerLength += taken;
    if (this.#headerLength === frameHeaderBytes) {
      this.#headerLength = 0;
      this.#length = this.#header.readUIntBE(0, 3);
      this.#type = this.#header[3] as number;
      this.#flags = this.#header[4] as number;
      this.#remaining = this.#length;
      if (this.#length === 0) {
        this.#readPayload(bytes, at + taken);
      }
    }
    return at + taken;
  }

  #readPayload(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#remaining);
    const piece = bytes.subarray(at, end);
    this.#remaining -= end - at;
    const isComplete = this.#remaining === 0;
    if (isComplete) {
      this.#remaining = -1;
    }
    if (this.#type === frameTypes.data) {
      this.#listener.data(piece);
      if (isComplete) {
        this.#listener.dataEnd(this.#flags, this.#length);
      }
      return end;
    }
    const whole = this.#partial === undefined ? piece : Buffer.concat([this.#partial, piece]);
    this.#partial = isComplete ? undefined : Buffer.from(whole);
    if (isComplete) {
      this.#listener.control(this.#type, this.#flags, whole);
    }
    return end;
  }
}
