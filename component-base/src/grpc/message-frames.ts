import { GrpcStatusError, grpcCode } from "./grpc-status.js";

/** Length of the prefix of a message: whether it is compressed, and its length. */
const prefixBytes = 5;

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
  /** Pieces of a message that is not complete, and their length together. They are put together once. */
  #pieces: Buffer[] = [];
  #length = 0;
  #wanted = prefixBytes;

  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /**
   * Returns the messages that are complete with these bytes; they may share memory with them. Throws GrpcStatusError for
   * one that is not accepted.
   */
  push(bytes: Buffer): Buffer[] {
    let rest = bytes;
    if (this.#length > 0) {
      this.#pieces.push(bytes);
      this.#length += bytes.length;
      if (this.#length < this.#wanted) {
        return [];
      }
      rest = Buffer.concat(this.#pieces, this.#length);
    }
    const messages: Buffer[] = [];
    this.#wanted = prefixBytes;
    while (rest.length >= prefixBytes) {
      this.#wanted = prefixBytes + this.#lengthOf(rest);
      if (rest.length < this.#wanted) {
        break;
      }
      messages.push(rest.subarray(prefixBytes, this.#wanted));
      rest = rest.subarray(this.#wanted);
      this.#wanted = prefixBytes;
    }
    this.#length = rest.length;
    this.#pieces = rest.length === 0 ? [] : [rest];
    return messages;
  }

  /** True if the bytes so far end amidst a message. */
  get isAmidst(): boolean {
    return this.#length > 0;
  }

  #lengthOf(prefix: Buffer): number {
    const length = prefix.readUInt32BE(1);
    if (prefix[0] !== 0) {
      throw new GrpcStatusError(grpcCode.unimplemented, "grpc: compressed messages are not supported");
    }
    if (length > this.#maxMessageBytes) {
      const text = `grpc: received message larger than max (${length} vs. ${this.#maxMessageBytes})`;
      throw new GrpcStatusError(grpcCode.resourceExhausted, text);
    }
    return length;
  }
}
