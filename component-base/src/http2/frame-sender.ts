import type { Socket } from "node:net";
import { FrameOutput } from "./frame-output.js";
import { defaultFrameBytes, frameFlag, frameType, numbersFrame, settingsFrame } from "./frames.js";
import { FieldEncoder } from "./hpack/field-encoder.js";

const noBytes = Buffer.alloc(0);

/** Encodes the frames that one side of a connection sends. */
export class FrameSender {
  /** Largest payload of a frame that the peer takes, in bytes. */
  maxFrameBytes = defaultFrameBytes;
  readonly #output: FrameOutput;
  readonly #encoder = new FieldEncoder();

  /** `onDrain` is called when the socket takes more after it has been blocked. */
  constructor(socket: Socket, onDrain: () => void) {
    this.#output = new FrameOutput(socket, onDrain);
  }

  /** True while the socket has as much as it takes: data should wait. */
  get isBlocked(): boolean {
    return this.#output.isBlocked;
  }

  /** Bytes that neither the kernel nor TLS has taken. */
  get pendingBytes(): number {
    return this.#output.pendingBytes;
  }

  /** Hands all frames to the socket at once. */
  flush(): void {
    this.#output.flush();
  }

  /** Makes the table of fields no larger than the peer allows. */
  limitTable(bytes: number): void {
    this.#encoder.limitTable(bytes);
  }

  /** Sends bytes that are no frame: the beginning of a client. */
  sendBytes(bytes: Buffer): void {
    this.#output.pushBytes(bytes);
  }

  /** Sends a block of fields: names in lower case and values in turn. `isEnd`: nothing follows on the stream. */
  sendFields(streamId: number, fields: readonly string[], isEnd: boolean): void {
    const block = this.#encoder.encode(fields);
    let type: number = frameType.headers;
    for (let at = 0; at === 0 || at < block.length; at += this.maxFrameBytes) {
      const payload = block.length <= this.maxFrameBytes ? block : block.subarray(at, at + this.maxFrameBytes);
      const isLast = at + payload.length >= block.length;
      const endStream = isEnd && type === frameType.headers ? frameFlag.endStream : 0;
      const flags = endStream | (isLast ? frameFlag.endHeaders : 0);
      this.#output.pushFrame({ type, flags, streamId }, payload);
      type = frameType.continuation;
    }
  }

  /** Sends data that fits into one frame. */
  sendData(streamId: number, bytes: Buffer, isEnd: boolean): void {
    this.#output.pushFrame({ type: frameType.data, flags: isEnd ? frameFlag.endStream : 0, streamId }, bytes);
  }

  sendSettings(settings: readonly (readonly [id: number, value: number])[]): void {
    this.#output.pushBytes(settingsFrame(settings));
  }

  sendSettingsAck(): void {
    this.#output.pushFrame({ type: frameType.settings, flags: frameFlag.ack, streamId: 0 }, noBytes);
  }

  sendReset(streamId: number, code: number): void {
    this.#output.pushBytes(numbersFrame(frameType.rstStream, streamId, code));
  }

  /** Sends a ping with any eight bytes, or the answer to one with its bytes. */
  sendPing(payload: Buffer, isAck: boolean): void {
    this.#output.pushFrame({ type: frameType.ping, flags: isAck ? frameFlag.ack : 0, streamId: 0 }, payload);
  }

  sendGoaway(lastStreamId: number, code: number): void {
    this.#output.pushBytes(numbersFrame(frameType.goaway, 0, lastStreamId, code));
  }

  /** Gives the peer room for as many bytes more on a stream, or on the connection if it is 0. */
  sendWindowUpdate(streamId: number, bytes: number): void {
    this.#output.pushBytes(numbersFrame(frameType.windowUpdate, streamId, bytes));
  }
}
