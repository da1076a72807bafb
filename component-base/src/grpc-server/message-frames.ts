import { GrpcStatusError, grpcCode } from "./grpc-status.js";

/** Length of the prefix of a message: whether it is compressed, and its length. */
const prefixBytes = 5;

const noBytes = Buffer.alloc(0);

/** Returns a message with its prefix. */
export function frameMessage(message: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(prefixBytes + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  message.copy(framed, prefixBytes);
  return framed;
}

/** Returns the message that these bytes hold, if they hold one and nothing else; undefined for MessageFrames to decide. */
export function onlyMessage(bytes: Buffer, maxMessageBytes: number): Buffer | undefined {
  const length = bytes.length - prefixBytes;
  const isWhole = length >= 0 && length <= maxMessageBytes && bytes[0] === 0 && bytes.readUInt32BE(1) === length;
  return isWhole ? bytes.subarray(prefixBytes) : undefined;
}

/** Finds the messages in the bytes of a call as they arrive, and keeps at most one that is not complete. */
export class MessageFrames {
  readonly #maxMessageBytes: number;
  #rest: Buffer = noBytes;

  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Returns the messages that are complete with these bytes. Throws GrpcStatusError for one that is not accepted. */
  push(bytes: Buffer): Buffer[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const messages: Buffer[] = [];
    while (rest.length >= prefixBytes) {
      const length = rest.readUInt32BE(1);
      if (rest[0] !== 0) {
        throw new GrpcStatusError(grpcCode.unimplemented, "grpc: compressed messages are not supported");
      }
      if (length > this.#maxMessageBytes) {
        const text = `grpc: received message larger than max (${length} vs. ${this.#maxMessageBytes})`;
        throw new GrpcStatusError(grpcCode.resourceExhausted, text);
      }
      if (rest.length < prefixBytes + length) {
        break;
      }
      messages.push(rest.subarray(prefixBytes, prefixBytes + length));
      rest = rest.subarray(prefixBytes + length);
    }
    this.#rest = rest;
    return messages;
  }

  /** True if the bytes so far end amidst a message. */
  get isAmidst(): boolean {
    return this.#rest.length > 0;
  }
}
